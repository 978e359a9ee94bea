// SPDX-License-Identifier: Apache-2.0

// Package opinfo reads and judges conformance programs: small ATen programs with inputs, expected results and expected
// gradients, recorded from other frameworks.
//
// # Programs
//
// A family is FAMILY.jsonl, one program a line, with its tensors in FAMILY.bin; an archive
// (.tar.gz) holds families. [Open] opens either. [Program.Run] runs a program on a device
// through the boxed call, as users would, and compares as torch.testing.assert_close does.
// Results that are not unique are judged by what defines them, in one list with reasons.
//
// # What is recorded
//
// testdata/programs.tar.gz has the samples with which PyTorch 1.13 tests itself, with results of PyTorch 2.14
// (record/again.py computes them anew).
// testdata/recorded.tar.gz has every functional operator of package ops: its samples as
// they are, in other element types, with other arguments, random extents, extents of 0, no
// dimensions, other strides, infinities and NaNs, with results and gradients of PyTorch
// 2.14 and, for special functions, of SciPy. It is made from the schemas and samples by
//
//	go run ./tensor/opinfo/record |
//		python3 tensor/opinfo/record/record.py tensor/opinfo/testdata/recorded.tar.gz
//
// with Debian's python3-torch and python3-scipy, in ten minutes; names of operators after
// the archive record only those. A result is kept if PyTorch gives it in float64, too,
// within half of what it is judged by. record/exceptions.py lists what is left out, with the reasons. With -refused
// before the archive, record.py writes testdata/refused.tar.gz: calls that PyTorch refuses for their extents and
// arguments.
//
// testdata/table.tar.gz has the operators of the table of expansions in the same way, from
// go run ./tensor/opinfo/record -table; tablepending.txt names the programs that give something else, with the reasons.
//
// testdata/complex.tar.gz has what the table says of complex tensors, from go run ./tensor/opinfo/record -complex, with
// its exceptions in complexpending.txt.
//
// # What changed since PyTorch 1.13
//
// Where two releases of PyTorch differ, the later one holds:
//
//   - A query that sees no key takes 0 from attention, not NaN: padding must not reach what is beside it.
//   - fmax and fmin give two equal operands half of the gradient each, as maximum and minimum do; so does a clamp
//     with tensors for bounds. At a bound that is a number clamp has no gradient, which losses with margins
//     inherit: what lies on a bound may not move beyond it.
//   - The gradient of hardswish is 0 at -3 and 1 at 3: the gradient of the sides on which it is constant or the identity.
//   - Gradients of angle, sgn and atan2 are 0 at 0, which has no direction.
//   - cosine_similarity bounds each norm by eps, not their product.
//   - softshrink of NaN is NaN: a NaN is not small.
//   - nextafter has a gradient: neighbours are as far apart wherever self is.
//   - aminmax keeps no dimension where there is none.
//   - reductions by index take max and min as names of amax and amin, segment_reduce the reverse.
//
// # Oracles
//
// Package reference computes what neither has, and says how random numbers are
// distributed. [Oracles] lists who computed values of each operator, as does
//
//	acap conformance opinfo -oracles tensor/opinfo/testdata
//
// A new operator needs samples and then a recording, or a reference: a test asks for them.
package opinfo
