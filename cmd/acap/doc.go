// SPDX-License-Identifier: Apache-2.0

// Command acap records, compiles, runs and inspects tensor programs on a
// simulated accelerator array. `acap help` lists its subcommands.
//
// Every subcommand is a file of its name, which registers it: run.go, emit.go, opt.go and so on; replay.go has bisect
// and reduce as well, compile.go has inspect. The parts of a command stand in files whose names begin with the
// command's: conformance_*.go, predict_*.go. Parts of run are runreport.go, runfiles.go, fault.go, tileexact.go and
// int8.go; main.go, output.go, progress.go, profile.go and interrupt.go serve all of them. The commands hold flags and
// printing. Their work is in packages: commandline has the flags that several commands share, modelfile reads models,
// tensortext writes tensors, webpage serves pages, torchoperators lists operators, modelbench, languagebench, bandwidth
// and divergence measure, conformance, e2e and fault test.
package main
