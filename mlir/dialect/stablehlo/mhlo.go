package stablehlo

import "github.com/go-acap/acap/mlir"

// The dialect mhlo came before StableHLO. Its operations are not read, and the error names the tool that makes
// StableHLO of them.
func init() {
	mlir.RegisterDialect(&mlir.Dialect{Name: "mhlo", Unknown: func(name string) *mlir.OpDef {
		return &mlir.OpDef{Name: name, Operands: mlir.Variadic, Results: mlir.Variadic, Regions: mlir.Variadic,
			Parse: func(p *mlir.Parser, _ *mlir.Operation) {
				p.Errorf("%s is of the dialect that came before StableHLO: mlir-hlo-opt --hlo-legalize-to-stablehlo, or an export by "+
					"jax.export, gives a program of stablehlo", name)
			}}
	}})
}
