package scalar

import "math"

// Cost says what one evaluation of a function takes beside an addition.
type Cost uint8

// The costs.
const (
	Simple         Cost = iota // one or few instructions
	Division                   // a division or a root
	Transcendental             // a polynomial
)

// Function is a function of one or two floats.
type Function struct {
	Name      string // in the text of kernels
	Operands  int
	MLIR      string // the operation of MLIR, empty if upstream's dialects have none
	StableHLO string // the operation of StableHLO or CHLO, empty if both have none
	Python    string // the function of Python's module math, empty if it has none
	Cost      Cost
	Exact     bool // the correctly rounded result of f64 is the result in every format
	Single    bool // fast math computes it for f64 in f32
	// Value is the function of one operand in f64, nil for two operands.
	Value func(x float64) float64
}

// Functions is the table.
var Functions = []Function{
	{Name: "abs", Operands: 1, MLIR: "math.absf", StableHLO: "stablehlo.abs", Python: "fabs", Exact: true, Value: math.Abs},
	{Name: "floor", Operands: 1, MLIR: "math.floor", StableHLO: "stablehlo.floor", Exact: true, Value: math.Floor},
	{Name: "ceil", Operands: 1, MLIR: "math.ceil", StableHLO: "stablehlo.ceil", Exact: true, Value: math.Ceil},
	{Name: "trunc", Operands: 1, MLIR: "math.trunc", Exact: true, Value: math.Trunc},
	{Name: "round", Operands: 1, MLIR: "math.round", StableHLO: "stablehlo.round_nearest_afz", Exact: true, Value: math.Round},
	{Name: "roundeven", Operands: 1, MLIR: "math.roundeven", StableHLO: "stablehlo.round_nearest_even", Exact: true, Value: math.RoundToEven},
	{Name: "copysign", Operands: 2, MLIR: "math.copysign"},
	{Name: "nextafter", Operands: 2},

	{Name: "sqrt", Operands: 1, MLIR: "math.sqrt", StableHLO: "stablehlo.sqrt", Python: "sqrt", Cost: Division, Exact: true, Value: math.Sqrt},
	{Name: "rsqrt", Operands: 1, MLIR: "math.rsqrt", StableHLO: "stablehlo.rsqrt", Cost: Division, Value: inverseRoot},
	{Name: "cbrt", Operands: 1, MLIR: "math.cbrt", StableHLO: "stablehlo.cbrt", Cost: Transcendental, Value: math.Cbrt},
	{Name: "hypot", Operands: 2, Cost: Transcendental},
	{Name: "pow", Operands: 2, MLIR: "math.powf", StableHLO: "stablehlo.power", Cost: Transcendental},

	{Name: "exp", Operands: 1, MLIR: "math.exp", StableHLO: "stablehlo.exponential", Python: "exp", Cost: Transcendental, Single: true, Value: exp},
	{Name: "exp2", Operands: 1, MLIR: "math.exp2", Cost: Transcendental, Single: true, Value: math.Exp2},
	{Name: "expm1", Operands: 1, MLIR: "math.expm1", StableHLO: "stablehlo.exponential_minus_one", Python: "expm1", Cost: Transcendental, Value: math.Expm1},
	{Name: "log", Operands: 1, MLIR: "math.log", StableHLO: "stablehlo.log", Python: "log", Cost: Transcendental, Single: true, Value: Log},
	{Name: "log2", Operands: 1, MLIR: "math.log2", Python: "log2", Cost: Transcendental, Single: true, Value: math.Log2},
	{Name: "log10", Operands: 1, MLIR: "math.log10", Python: "log10", Cost: Transcendental, Single: true, Value: Log10},
	{Name: "log1p", Operands: 1, MLIR: "math.log1p", StableHLO: "stablehlo.log_plus_one", Python: "log1p", Cost: Transcendental, Value: math.Log1p},
	{Name: "sigmoid", Operands: 1, StableHLO: "stablehlo.logistic", Cost: Transcendental, Single: true, Value: sigmoid},

	{Name: "sin", Operands: 1, MLIR: "math.sin", StableHLO: "stablehlo.sine", Python: "sin", Cost: Transcendental, Value: math.Sin},
	{Name: "cos", Operands: 1, MLIR: "math.cos", StableHLO: "stablehlo.cosine", Python: "cos", Cost: Transcendental, Value: math.Cos},
	{Name: "tan", Operands: 1, MLIR: "math.tan", StableHLO: "stablehlo.tan", Python: "tan", Cost: Transcendental, Value: math.Tan},
	{Name: "asin", Operands: 1, MLIR: "math.asin", StableHLO: "chlo.asin", Python: "asin", Cost: Transcendental, Value: math.Asin},
	{Name: "acos", Operands: 1, MLIR: "math.acos", StableHLO: "chlo.acos", Python: "acos", Cost: Transcendental, Value: math.Acos},
	{Name: "atan", Operands: 1, MLIR: "math.atan", StableHLO: "chlo.atan", Python: "atan", Cost: Transcendental, Single: true, Value: math.Atan},
	{Name: "atan2", Operands: 2, MLIR: "math.atan2", StableHLO: "stablehlo.atan2", Cost: Transcendental},

	{Name: "sinh", Operands: 1, MLIR: "math.sinh", StableHLO: "chlo.sinh", Python: "sinh", Cost: Transcendental, Single: true, Value: sinh},
	{Name: "cosh", Operands: 1, MLIR: "math.cosh", StableHLO: "chlo.cosh", Python: "cosh", Cost: Transcendental, Single: true, Value: cosh},
	{Name: "tanh", Operands: 1, MLIR: "math.tanh", StableHLO: "stablehlo.tanh", Python: "tanh", Cost: Transcendental, Single: true, Value: math.Tanh},
	{Name: "asinh", Operands: 1, MLIR: "math.asinh", StableHLO: "chlo.asinh", Python: "asinh", Cost: Transcendental, Value: math.Asinh},
	{Name: "acosh", Operands: 1, MLIR: "math.acosh", StableHLO: "chlo.acosh", Python: "acosh", Cost: Transcendental, Value: math.Acosh},
	{Name: "atanh", Operands: 1, MLIR: "math.atanh", StableHLO: "chlo.atanh", Python: "atanh", Cost: Transcendental, Value: math.Atanh},

	{Name: "erf", Operands: 1, MLIR: "math.erf", StableHLO: "chlo.erf", Python: "erf", Cost: Transcendental, Single: true, Value: math.Erf},
	{Name: "erfc", Operands: 1, MLIR: "math.erfc", StableHLO: "chlo.erfc", Python: "erfc", Cost: Transcendental, Value: math.Erfc},
}

// ByName returns the function of a name in the text of kernels, nil if there is none.
func ByName(name string) *Function { return byName[name] }

var byName = func() map[string]*Function {
	all := map[string]*Function{}
	for i := range Functions {
		all[Functions[i].Name] = &Functions[i]
	}
	return all
}()
