package enginetest

import "fmt"

// DividedLayers is the text of a function whose operations give whole tensors, also where bodies fold in ways that are
// evaluated as they are written, and name what lies outside of them. Conversion divides the function into pieces.
func DividedLayers() string {
	body := "%one = arith.constant 1 : index\n%half = arith.constant 0.5 : f32\n"
	const layers = 6
	for k := range layers {
		body += fmt.Sprintf(`%%s%[1]d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%%x%[1]d : tensor<4x6xf32>) outs(%%i : tensor<4xf32>) {
    ^bb0(%%a: f32, %%acc: f32):
      %%h = arith.mulf %%acc, %%half : f32
      %%q = tensor.extract %%x%[1]d[%%one, %%one] : tensor<4x6xf32>
      %%p = arith.addf %%h, %%q : f32
      %%r = arith.addf %%p, %%a : f32
      linalg.yield %%r : f32
  } -> tensor<4xf32>
  %%o%[1]d = tensor.empty() : tensor<4x6xf32>
  %%x%[2]d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%%x%[1]d, %%s%[1]d : tensor<4x6xf32>, tensor<4xf32>) outs(%%o%[1]d : tensor<4x6xf32>) {
    ^bb0(%%a: f32, %%b: f32, %%out: f32):
      %%r = arith.addf %%a, %%b : f32
      linalg.yield %%r : f32
  } -> tensor<4x6xf32>
`, k, k+1)
	}
	return "func.func @main(%x0: tensor<4x6xf32>, %i: tensor<4xf32>) -> tensor<4x6xf32> {\n" + body +
		fmt.Sprintf("return %%x%d : tensor<4x6xf32>\n}", layers)
}
