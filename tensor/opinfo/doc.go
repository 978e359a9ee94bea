// Package opinfo reads and judges conformance programs: small ATen programs with
// inputs, expected results and expected gradients, recorded from PyTorch's own
// operator samples.
//
// A family is FAMILY.jsonl, one program a line, with its tensors in FAMILY.bin.
// [Program.Run] runs one on a device through the boxed call, as users would, and
// compares as torch.testing.assert_close does.
package opinfo
