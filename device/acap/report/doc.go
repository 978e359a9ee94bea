// SPDX-License-Identifier: Apache-2.0

// Package report says what an array did with a program.
//
//	r := program.Report()
//	fmt.Print(r)            // verdict, tables, what-if lines, heat map
//	r.Verdict()             // the bottleneck in one line
//	r.WriteTrace(file)      // Perfetto: a track per core, channel and direction
//	r.WriteProfile(file)    // go tool pprof: device cycles on your source lines
//	r.WriteSVG(file)        // the array as a heat map
//	r.WriteResidency(file)      // what remains in which mem tile
//	r.WriteCSV(file); r.WriteVCD(file); json.Marshal(r)
//
// Where samples pass through a pipeline, the kernels are those of one sample, stage after stage, and totals are of all
// samples; [Report.Layers] is the account of the same model by layers.
//
// Times are the closed form's (package timing). The event engine (package event)
// runs the same programs beside it: the table shows where the two differ, and the
// heat map and the traces are its. Energies are estimates from constants that are
// not measured on the machine.
package report
