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
// The constants of the presets were fitted by the program in directory fit,
// which reads such a file, prints the constants with the cross-validated error,
// and changes nothing.
package predict
