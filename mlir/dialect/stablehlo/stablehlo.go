package stablehlo

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

func init() {
	d := &mlir.Dialect{Name: "stablehlo"}
	add := func(form form, traits mlir.Trait, operands, regions int, names string) {
		for _, name := range strings.Fields(names) {
			results := 1
			if regions > 0 {
				results = mlir.Variadic
			}
			d.Ops = append(d.Ops, mlir.OpDef{Name: "stablehlo." + name, Traits: traits, Operands: operands,
				Results: results, Regions: regions, Parse: form.parse, Print: form.print})
		}
	}
	const any = mlir.Variadic
	add(plain, mlir.Pure, 1, 0, `abs cbrt ceil convert count_leading_zeros cosine exponential
		exponential_minus_one floor imag is_finite log log_plus_one logistic negate not popcnt real
		round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh reshape bitcast_convert`)
	add(plain, mlir.Pure, 2, 0, `add and atan2 divide maximum minimum multiply or power remainder shift_left
		shift_right_arithmetic shift_right_logical subtract xor`)
	add(plain, mlir.Pure, 3, 0, "clamp select")
	add(plain, mlir.Pure, any, 0, "dynamic_update_slice dynamic_reshape dynamic_pad dynamic_conv "+
		"dynamic_gather real_dynamic_slice")
	add(form{parseSlice, printSlice}, mlir.Pure, 1, 0, "slice")
	add(form{parseCompare, printCompare}, mlir.Pure, 2, 0, "compare")
	add(form{parseDotGeneral, nil}, mlir.Pure, 2, 0, "dot_general")
	add(form{parseConvolution, nil}, mlir.Pure, 2, 0, "convolution")
	for name, extras := range keyed {
		add(form{extras.parse, extras.print}, mlir.Pure, any, 0, name)
	}
	add(form{parseDot, nil}, mlir.Pure, 2, 0, "dot")
	add(form{}, mlir.Pure, any, 0, "gather triangular_solve cholesky torch_index_select einsum batch_norm_inference")
	add(form{parsePlain, nil}, 0, any, 0, "uniform_quantize uniform_dequantize replica_id partition_id after_all "+
		"create_token")
	add(form{parseComplex, mlir.PrintFunctional}, mlir.Pure, 2, 0, "complex")
	d.Ops = append(d.Ops,
		mlir.OpDef{Name: "stablehlo.constant", Traits: mlir.Pure | mlir.ConstantLike, Results: 1,
			Parse: parseConstant, Print: printConstant, Shows: showsConstant},
		mlir.OpDef{Name: "stablehlo.custom_call", Operands: any, Results: any, Regions: any, Parse: parseCustomCall},
		mlir.OpDef{Name: "stablehlo.return", Traits: mlir.Terminator | mlir.Pure, Operands: any,
			Parse: mlir.ParseReturn, Print: mlir.PrintReturn},
		mlir.OpDef{Name: "stablehlo.optimization_barrier", Operands: any, Results: any, Parse: parseBarrier},
		mlir.OpDef{Name: "stablehlo.reduce", Traits: mlir.RecursiveEffects, Operands: any, Results: any, Regions: 1,
			Parse: parseReduce},
		mlir.OpDef{Name: "stablehlo.while", Operands: any, Results: any, Regions: 2, Parse: parseWhile},
		mlir.OpDef{Name: "stablehlo.rng_bit_generator", Operands: 1, Results: 2,
			Parse: keys{{"algorithm", "rng_algorithm", enum("rng_algorithm"), Enum}}.parse},
		mlir.OpDef{Name: "stablehlo.batch_norm_training", Operands: 3, Results: 3},
		mlir.OpDef{Name: "stablehlo.batch_norm_grad", Operands: 5, Results: 3},
		mlir.OpDef{Name: "stablehlo.composite", Operands: any, Results: any, Regions: any, Parse: parseComposite},
		mlir.OpDef{Name: "stablehlo.tuple", Traits: mlir.Pure, Operands: any, Results: 1, Parse: parseTuple},
		mlir.OpDef{Name: "stablehlo.get_tuple_element", Traits: mlir.Pure, Operands: 1, Results: 1, Parse: parseElement},
	)
	for name, regions := range map[string]int{"case": any, "if": 2, "map": 1, "reduce_window": 1, "scatter": 1,
		"select_and_scatter": 2, "sort": 1, "all_reduce": 1, "reduce_scatter": 1, "collective_reduce": 1} {
		d.Ops = append(d.Ops, mlir.OpDef{Name: "stablehlo." + name, Operands: any, Results: any, Regions: regions})
	}
	for _, name := range []string{"all_gather", "all_to_all", "collective_broadcast", "collective_permute",
		"cross-replica-sum", "infeed", "outfeed", "send", "recv"} {
		d.Ops = append(d.Ops, mlir.OpDef{Name: "stablehlo." + name, Operands: any, Results: any})
	}
	mlir.RegisterDialect(d)
}
