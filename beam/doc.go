// SPDX-License-Identifier: Apache-2.0

// Package beam divides work among the workers of Apache Beam: sweeps of machines, suites of recorded
// tests, and runs of a model over many inputs. The command acap-beam is its use:
//
//	acap-beam sweep model.pt -set cols=1:5 -set clock=1e9:2e9:1e6 -output rows.csv
//	acap-beam conformance opinfo DIR -output lines.json
//	acap-beam run model.onnx -input 'in/*.npy' -output out/rows.json
//
// It is a module of its own because of what Beam depends on.
//
// # Pieces
//
// A [Job] divides into pieces, which are numbered: many points, a test, or some inputs. An element of the
// pipeline has many pieces, so that what Beam costs is small. A piece's rows are written to a file
// in the folder OUTPUT.parts, and when all are there, they are joined to the output. A job that was
// stopped goes on when it is started again with the same flags: pieces whose file is there are not
// done again. A piece that fails is tried again, and in the end its error is listed.
//
// # Files
//
// Inputs and outputs have the names of Beam's file systems: paths, gs://, s3:// and memfs://. A
// worker copies files that are elsewhere once. The embedded runner, prism, is the default.
package beam
