internal import Glibc
internal import MediaServer

// What `mediatool serve` becomes, and `mediatool erase --owner` in the library of a service.
let isErasing = CommandLine.arguments.dropFirst().first == EraseProgram.verb
if isErasing { exit(await EraseProgram.run(CommandLine.arguments)) }
exit(await ServeProgram.run(CommandLine.arguments))
