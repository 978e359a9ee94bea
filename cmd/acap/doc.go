// Command acap records, compiles, runs and inspects tensor programs on a
// simulated accelerator array. `acap help` lists its subcommands.
package main
