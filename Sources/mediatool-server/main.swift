internal import MediaServer

// What `mediatool serve` becomes.
