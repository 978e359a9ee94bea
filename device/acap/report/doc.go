// Package report says what an array did with a program: a line of verdict, a
// table with a row per kernel, and a Chrome/Perfetto trace.
package report
