package onnx

import (
	"fmt"

	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// microsoft is the domain of the operators that ONNX Runtime's optimizer puts into models.
const microsoft = "com.microsoft"

// classical is the domain of operators of classical machine learning, up to version 5:
// https://github.com/onnx/onnx/blob/main/docs/Operators-ml.md.
const classical = "ai.onnx.ml"

// training is the domain of the steps of optimisers.
const training = "ai.onnx.preview.training"

// preview is the domain of operators that may become part of ai.onnx.
const preview = "ai.onnx.preview"

// moving are the operators that give elements of their first input other places, and do not change them.
var moving = map[string]bool{"Compress": true, "Concat": true, "DepthToSpace": true, "Expand": true, "Flatten": true,
	"Gather": true, "GatherElements": true, "GatherND": true, "Reshape": true, "ReverseSequence": true, "Slice": true,
	"SpaceToDepth": true, "Split": true, "Squeeze": true, "Tile": true, "Transpose": true, "Unsqueeze": true, "Where": true}

// operators are the operators by domain and name.
var operators = map[proto.Key]func(*node){}

// register adds an operator of ai.onnx.
func register(name string, run func(*node)) { registerIn("", name, run) }

// registerIn adds an operator of another domain.
func registerIn(domain, name string, run func(*node)) {
	key := proto.Key{Domain: domain, Name: name}
	if operators[key] != nil {
		panic(fmt.Sprintf("BUG: onnx: {%s %s} is registered twice", domain, name))
	}
	operators[key] = run
}
