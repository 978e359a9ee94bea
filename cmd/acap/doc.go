// SPDX-License-Identifier: Apache-2.0

// Command acap records, compiles, runs and inspects tensor programs on a
// simulated accelerator array. `acap help` lists its subcommands.
//
// Every subcommand is a file of its name, which registers it: run.go, emit.go, opt.go and so on; replay.go has bisect
// and reduce as well, compile.go has inspect. What a command is made of stands in files with its name before:
// conformance_*.go, predict_*.go. Parts of run are fault.go, tileexact.go, int8.go and jsontensor.go; main.go,
// modelinputs.go, output.go, progress.go, profile.go and interrupt.go serve all of them. Packages commandline, modelfile, e2e
// and conformance are what they share with other programs.
package main
