internal import Glibc
internal import MediaServer

// What `mediatool serve` becomes.
exit(await ServeProgram.run(CommandLine.arguments))
