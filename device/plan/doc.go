// SPDX-License-Identifier: Apache-2.0

// Package plan is the form in which compiled programs are stored, in the cache on disk and
// in files: what the compiler found out, without the work of finding it.
//
// A [Program] has the module without the bodies of its groups, and for every group what
// package engine chose: kernels, their order and their memory. Machine code is not in it:
// it is generated from the kernels when the program is loaded. Package compiler makes and
// loads programs:
//
//	p, err := executable.Plan()
//	data := p.Encode()
//
//	p, err := plan.Decode(data)
//	executable, err := compiler.Load(ctx, p)
//
// A program is for one processor and one version of this module (see [Processor]): the
// kernels that are right for one may be wrong for another. Who stores it has to keep that
// with it, and a checksum; loading checks in any case that no access leaves its memory.
package plan
