package arith

import "github.com/go-acap/acap/mlir"

// kind is a family of operations that share form, checks and builder.
type kind struct {
	operands int
	class    class
	flags    mlir.Flags
	exact    bool // isExact says that nothing is lost: no remainder, no bit that was set
}

// class says which element types the operands of an operation have.
type class uint8

const (
	ints   class = 1 << iota // integers and index
	floats                   // floating point
)

var (
	floatBinary = kind{operands: 2, class: floats, flags: mlir.FastMath}
	floatUnary  = kind{operands: 1, class: floats, flags: mlir.FastMath}
	intBinary   = kind{operands: 2, class: ints}
	intWrap     = kind{operands: 2, class: ints, flags: overflow}
	intExact    = kind{operands: 2, class: ints, exact: true}
)

// overflow says how integers may wrap: overflow<nsw, nuw>.
var overflow = mlir.Flags{Attr: "overflowFlags", Keyword: "overflow", Separator: ", "}

// kinds lists the operations of the form "%a, %b flags {…} : T".
var kinds = map[string]kind{
	"addf": floatBinary, "subf": floatBinary, "mulf": floatBinary, "divf": floatBinary,
	"remf": floatBinary, "maximumf": floatBinary, "minimumf": floatBinary,
	"maxnumf": floatBinary, "minnumf": floatBinary, "negf": floatUnary,
	"addi": intWrap, "subi": intWrap, "muli": intWrap, "shli": intWrap,
	"divsi": intExact, "divui": intExact, "ceildivsi": intBinary, "ceildivui": intBinary,
	"floordivsi": intBinary, "remsi": intBinary, "remui": intBinary, "andi": intBinary,
	"ori": intBinary, "xori": intBinary, "shrsi": intExact, "shrui": intExact,
	"maxsi": intBinary, "maxui": intBinary, "minsi": intBinary, "minui": intBinary,
}

var commutative = map[string]bool{
	"addf": true, "mulf": true, "maximumf": true, "minimumf": true, "maxnumf": true,
	"minnumf": true, "addi": true, "muli": true, "andi": true, "ori": true, "xori": true,
	"maxsi": true, "maxui": true, "minsi": true, "minui": true,
}

// casts lists the conversions with the classes of their operand and result.
var casts = map[string][2]class{
	"extf": {floats, floats}, "truncf": {floats, floats}, "extsi": {ints, ints},
	"extui": {ints, ints}, "trunci": {ints, ints}, "sitofp": {ints, floats},
	"uitofp": {ints, floats}, "fptosi": {floats, ints}, "fptoui": {floats, ints},
	"index_cast": {ints, ints}, "index_castui": {ints, ints},
	"bitcast": {ints | floats, ints | floats},
}

func init() {
	const pure = mlir.Pure | mlir.Elementwise
	ops := []mlir.OpDef{{
		Name: "arith.constant", Traits: mlir.Pure | mlir.ConstantLike, Results: 1,
		Verify: verifyConstant, Parse: parseConstant, Print: printConstant,
		ResultName: constantName,
	}, {
		Name: "arith.cmpi", Traits: pure | mlir.SameTypeOperands, Operands: 2, Results: 1,
		Verify: verifyCompare(ints, len(intPredicates)), Parse: parseCompare(intPredicates[:], false),
		Print: printCompare(intPredicates[:], false), Fold: foldCompare,
	}, {
		Name: "arith.cmpf", Traits: pure | mlir.SameTypeOperands, Operands: 2, Results: 1,
		Verify: verifyCompare(floats, len(floatPredicates)),
		Parse:  parseCompare(floatPredicates[:], true), Print: printCompare(floatPredicates[:], true),
		Fold: foldCompare,
	}, {
		Name: "arith.select", Traits: pure, Operands: 3, Results: 1,
		Verify: verifySelect, Parse: parseSelect, Print: printSelect, Fold: foldSelect,
	}}
	for name, k := range kinds {
		traits := pure | mlir.SameOperandsAndResultType
		if commutative[name] {
			traits |= mlir.Commutative
		}
		ops = append(ops, mlir.OpDef{
			Name: "arith." + name, Traits: traits, Operands: k.operands, Results: 1,
			Verify: k.verify, Parse: k.parse, Print: k.print, Fold: foldArithmetic,
		})
	}
	for name, classes := range casts {
		ops = append(ops, mlir.OpDef{
			Name: "arith." + name, Traits: pure, Operands: 1, Results: 1,
			Verify: verifyCast(classes), Parse: parseCast, Print: printCast, Fold: foldCast,
		})
	}
	ops = append(ops, extended("mulsi_extended"), extended("mului_extended"), addExtended, scaling("scaling_extf", true),
		scaling("scaling_truncf", false))
	mlir.RegisterDialect(&mlir.Dialect{
		Name: "arith", Upstream: true, Ops: ops, Constant: constantOp, CheckAttr: checkAttr,
	})
}

// constantOp makes the constant that a fold asks for.
func constantOp(a mlir.Attribute, t mlir.Type) *mlir.Operation {
	if at := mlir.TypeOf(a); at == nil || !mlir.SameType(at, t) {
		return nil
	}
	return mlir.NewOp("arith.constant", nil, []mlir.Type{t}, mlir.Attrs{{Name: "value", Value: a}})
}
