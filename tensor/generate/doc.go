// Command generate writes tensor/zmethods.go: a method for every ATen operator
// whose first argument is a tensor named self (or input), and a function for
// those that take a list of tensors first.
//
//	go generate ./tensor
package main
