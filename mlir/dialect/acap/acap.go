package acap

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

func init() {
	mlir.RegisterDialect(&mlir.Dialect{Name: "acap", Ops: []mlir.OpDef{
		{Name: "acap.scan", Traits: mlir.Pure, Operands: 1, Results: 1,
			Verify: verifyScan, Parse: parseScan, Print: printScan},
		{Name: "acap.sort", Traits: mlir.Pure, Operands: 1, Results: 2,
			Verify: verifySort, Parse: parseSort, Print: printSort},
		{Name: "acap.scatter", Traits: mlir.Pure, Operands: 3, Results: 1,
			Verify: verifyScatter, Parse: parseScatter, Print: printScatter},
		{Name: "acap.rng", Traits: mlir.Pure, Operands: 2, Results: 1,
			Verify: verifyRandom, Parse: parseRandom, Print: printRandom},
		{Name: "acap.unpack", Traits: mlir.Pure, Operands: 1, Results: 1,
			Verify: verifyUnpack, Parse: parseUnpack, Print: printUnpack},
	}})
}

// The ways to fold. Assign, of scatters alone, keeps the last update; LogAddExp, of
// scans alone, is log(exp(a) + exp(b)).
const (
	Add       = "add"
	Mul       = "mul"
	Max       = "max"
	Min       = "min"
	LogAddExp = "logaddexp"
	Assign    = "assign"
)

var (
	scanKinds    = []string{Add, Mul, Max, Min, LogAddExp}
	scatterKinds = []string{Assign, Add, Mul, Max, Min}
)

// Kind returns how a scan or scatter folds.
func Kind(op *mlir.Operation) string {
	s, _ := op.Attrs.Get("kind").(mlir.StringAttr)
	return string(s)
}

// Axis returns the dimension along which a scan, sort or scatter works.
func Axis(op *mlir.Operation) int { return integer(op, "axis") }

// First returns the place in the sorted line of the first result of a sort.
func First(op *mlir.Operation) int { return integer(op, "first") }

// Descending reports whether a sort puts the largest element first.
func Descending(op *mlir.Operation) bool { return op.Attrs.Get("descending") != nil }

// Positions reports whether a scan gives the positions of extremes.
func Positions(op *mlir.Operation) bool { return op.Attrs.Get("positions") != nil }

// Unsigned reports whether integers compare as unsigned numbers.
func Unsigned(op *mlir.Operation) bool { return op.Attrs.Get("unsigned") != nil }

// Format returns the format of the blocks that an unpack reads.
func Format(op *mlir.Operation) dtype.Format {
	s, _ := op.Attrs.Get("format").(mlir.StringAttr)
	f, _ := dtype.FormatNamed(string(s))
	return f
}

// Rounds reports whether products with the values of an unpack may round their other operand to 8 bits.
func Rounds(op *mlir.Operation) bool { return op.Attrs.Get("rounds") != nil }

func integer(op *mlir.Operation, name string) int {
	a, _ := op.Attrs.Get(name).(mlir.IntegerAttr)
	return int(a.Value)
}
