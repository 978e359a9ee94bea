// SPDX-License-Identifier: Apache-2.0

// Package pickle reads Python pickles as data and executes nothing.
//
// A pickle is a program for a small stack machine. Python's own reader runs it: GLOBAL imports a
// name, REDUCE calls it, BUILD sets an object's state. [Read] builds a tree instead, in which these
// instructions are nodes:
//
//	instruction              node
//	GLOBAL, STACK_GLOBAL     *Global   a module and a name, not looked up
//	REDUCE, NEWOBJ, OBJ      *Object   a callee and its arguments, not called
//	BUILD                    the State of an *Object
//	PERSID, BINPERSID        *Reference  to something outside of the pickle, such as a storage
//
// What the nodes mean is for the caller to decide, who accepts the globals it knows and refuses the
// rest. All instructions of the protocols 0 to 5 are read except the extension registry (EXT1,
// EXT2, EXT4) and out-of-band buffers (NEXT_BUFFER), which refer to things a file does not hold.
//
// Input is not trusted. Lengths are checked against what is left of the input before anything is
// allocated, strings share the input's memory, and the tree has at most one node for each
// instruction, so that the memory in use is a multiple of the input's size; [Limits] bounds the
// input, the number of values, the nesting and the digits of integers. Trees may share nodes and
// may contain themselves, as Python's objects do: a walk needs its own bound on depth, or a set of
// visited nodes.
//
// Errors are of type [*Error] and carry the byte offset of the instruction at fault.
//
// The format is described in CPython's Lib/pickletools.py.
package pickle
