// Package predict compares the time model with published measurements.
//
// [Read] reads rows of a CSV file with the columns source, device, workload, M,
// K, N, dtype, tiles, metric, value, unit and notes. [Rows] predicts every row
// that names a device and a workload that the simulator knows: the mapping that
// was measured is taken from the row (tiles, herd, staging), and beside its
// prediction stands the best mapping of our own. Rows that cannot be predicted
// keep the reason. [Summarize] gives medians and means of the error per source,
// device, workload and type.
//
// # Accuracy
//
// Absolute error on the 500 rows that the presets were fitted to, as the command
// predict prints it by group, and in parentheses on rows held out in five folds:
//
//	npu1 GEMM, 300 rows        median 1.7 % (1.8 %)   mean 5.0 % (5.1 %)
//	npu2 GEMM, 89 rows         median 2.3 % (3.4 %)   mean 4.7 % (5.6 %)
//	npu2 GEMV, 30 rows         median 1.7 % (2.0 %)   mean 4.2 % (4.3 %)
//	npu2 attention, 12 rows    median 1.0 % (3.1 %)   mean 3.3 % (4.3 %)
//	npu2 pointwise, 30 rows    median 1.3 %           mean 2.2 %
//	npu2 RoPE, 14 rows         median 0.7 %           mean 2.9 %
//	npu2 norms, 14 rows        median 3.3 %           mean 8.3 %
//	CHARM on VC1902, 6 rows    worst 4.9 %
//	SCALE-Sim, 4 rows          exact
//
// What it misses: some hundred microseconds in a group of i16 rows of npu1, rows
// of 2048 elements in the RMS norm of npu2 (a quarter slower than wider ones),
// and products with few rows on all 32 cores of npu2, which are up to
// two fifths off.
//
// The constants of the presets were fitted by the program in directory fit,
// which reads such a file, prints the constants with the cross-validated error,
// and changes nothing.
package predict
