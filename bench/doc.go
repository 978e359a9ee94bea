// Command bench measures the engine: the cases of a published comparison with
// the best CPU runtimes, under the names used there.
//
//	go run ./bench                          all cases, one thread
//	go run ./bench -case 'mm_|conv' -threads 1,2 -json
//	go run ./bench one mm_512 1             one JSON line
//	go run ./bench -peers -plot ratios.svg  beside other runtimes, with a plot
//
// Every figure is the median of several rounds. A share of the limit compares
// with the multiply-add peak or the memory bandwidth measured in the same run.
package main
