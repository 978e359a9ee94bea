package stablehlo

import "github.com/go-acap/acap/translate/passes"

func init() {
	passes.Register(passes.Pass{Name: "stablehlo-to-linalg",
		Doc: "lower the stablehlo and chlo dialects to linalg on tensors", Run: Lower})
}
