package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
)

// generic writes a function with one linalg.generic on x [4, 6] with a result of [4, 6].
func generic(maps, kinds, body string) string {
	return fmt.Sprintf(`%%r = "linalg.generic"(%%x, %%e) ({
		%s
	}) {indexing_maps = [%s], iterator_types = [%s], operandSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`,
		body, maps, kinds)
}

const (
	ij       = `affine_map<(i, j) -> (i, j)>`
	allLoops = `#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>`
	copyBody = `^bb0(%a: f32, %z: f32):
		"linalg.yield"(%a) : (f32) -> ()`
)

// refused are functions of x [4, 6] and n, an i64, with a tensor e and a number c, that do not compile, and what is
// said.
var refused = map[string]struct{ text, want string }{
	"reshape":        {`%r = "tensor.collapse_shape"(%x) {reassociation = [[0, 1]]} : (tensor<4x6xf32>) -> tensor<25xf32>`, "24 elements as [25]"},
	"slice offsets":  {slice(`array<i64: 0>`, `array<i64: 2, 2>`, `array<i64: 1, 1>`, "2x2"), "static_offsets does not have 2 numbers"},
	"slice sizes":    {slice(`array<i64: 0, 0>`, `"2, 2"`, `array<i64: 1, 1>`, "2x2"), "static_sizes does not have 2 numbers"},
	"slice before":   {slice(`array<i64: -1, 0>`, `array<i64: 2, 2>`, `array<i64: 1, 1>`, "2x2"), "slice -1:2:1 of an extent of 4"},
	"slice behind":   {slice(`array<i64: 3, 0>`, `array<i64: 2, 2>`, `array<i64: 1, 1>`, "2x2"), "slice 3:2:1 of an extent of 4"},
	"slice steps":    {slice(`array<i64: 0, 0>`, `array<i64: 2, 2>`, `array<i64: 1, 6>`, "2x2"), "slice 0:2:6 of an extent of 6"},
	"slice no step":  {slice(`array<i64: 0, 0>`, `array<i64: 2, 2>`, `array<i64: 1, 0>`, "2x2"), "slice 0:2:0 of an extent of 6"},
	"slice too long": {slice(`array<i64: 0, 0>`, `array<i64: 5, 2>`, `array<i64: 1, 1>`, "5x2"), "slice 0:5:1 of an extent of 4"},
	"slice negative": {slice(`array<i64: 0, 0>`, `array<i64: -1, 2>`, `array<i64: 1, 1>`, "2x2"), "slice 0:-1:1 of an extent of 4"},
	"slice of none":  {slice(`array<i64: 5, 0>`, `array<i64: 0, 2>`, `array<i64: 1, 1>`, "0x2"), "slice 5:0:1 of an extent of 4"},
	"slice result":   {slice(`array<i64: 0, 0>`, `array<i64: 2, 2>`, `array<i64: 1, 1>`, "2x3"), "slice of [2 2] as [2 3]"},
	"slice computed": {`%k = arith.index_cast %n : i64 to index
		%r = tensor.extract_slice %x[%k, 0] [2, 2] [1, 1] : tensor<4x6xf32> to tensor<2x2xf32>`, "a number of static_offsets is computed"},
	"insert":          {insert("2x3", `array<i64: 2, 2>`), "[2 3] elements into a slice of [2 2]"},
	"insert behind":   {insert("2x3", `array<i64: 2, 7>`), "slice 0:7:1 of an extent of 6"},
	"concat axis":     {`%r = "tensor.concat"(%x, %x) {dim = 2} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>`, "no valid dimension"},
	"concat no axis":  {`%r = "tensor.concat"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>`, "no valid dimension"},
	"concat negative": {`%r = "tensor.concat"(%x, %x) {dim = -1} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>`, "no valid dimension"},
	"concat shapes":   {`%r = "tensor.concat"(%x, %x) {dim = 1} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<5x12xf32>`, "[4 6] does not fit into [5 12]"},
	"concat rank":     {`%r = "tensor.concat"(%x) {dim = 1} : (tensor<4x6xf32>) -> tensor<4x6x1xf32>`, "[4 6] does not fit into [4 6 1]"},
	"concat more":     {`%r = "tensor.concat"(%x, %x) {dim = 1} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x11xf32>`, "[4 6] does not fit into [4 11]"},
	"concat less":     {`%r = "tensor.concat"(%x, %x) {dim = 1} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x13xf32>`, "operands fill 12 of 13"},
	"pad":             {pad(`array<i64: 1>`, `array<i64: 0, 0>`, `%c`, "5x6"), "static_low does not have 2 numbers"},
	"pad high":        {pad(`array<i64: 1, 0>`, `array<i64: 0>`, `%c`, "5x6"), "static_high does not have 2 numbers"},
	"pad without":     {pad(`array<i64: 1, 0>`, `array<i64: 0, 0>`, `%c, %c`, "5x6"), "the border is no number"},
	"pad negative":    {pad(`array<i64: -1, 0>`, `array<i64: 0, 0>`, `%c`, "3x6"), "padding of -1 and 0"},
	"pad negative 2":  {pad(`array<i64: 0, 0>`, `array<i64: 0, -2>`, `%c`, "4x4"), "padding of 0 and -2"},
	"pad too much":    {pad(`array<i64: 0, 1099511627776>`, `array<i64: 0, 0>`, `%c`, "4x6"), "padding of 1099511627776 and 0"},
	"pad by place":    {pad(`array<i64: 1, 0>`, `array<i64: 0, 0>`, `%i`, "5x6"), "the border depends on the position"},
	"pad shape":       {pad(`array<i64: 1, 0>`, `array<i64: 0, 0>`, `%c`, "6x6"), "result of shape [5 6], not [6 6]"},
	"from elements":   {`%r = "tensor.from_elements"(%c, %c) : (f32, f32) -> tensor<3xf32>`, "2 elements for [3]"},
	"generate": {`%r = "tensor.generate"() ({
		^bb0(%i: index):
			"tensor.yield"(%c) : (f32) -> ()
		}) : () -> tensor<2x3xf32>`, "body does not take one index for each dimension"},
	"cast":            {`%r = "tensor.bitcast"(%x) : (tensor<4x6xf32>) -> tensor<4x6xi16>`, "f32 as i16"},
	"cast to bool":    {`%r = "tensor.bitcast"(%b) : (tensor<4xi8>) -> tensor<4xi1>`, "i8 as bool"},
	"dim":             {`%i = "arith.constant"() {value = 2 : index} : () -> index` + "\n" + `%r = "tensor.dim"(%x, %i) : (tensor<4x6xf32>, index) -> index`, "dimension is not a constant in range"},
	"dim of no":       {`%r = "tensor.dim"(%x, %n) : (tensor<4x6xf32>, i64) -> index`, "dimension is not a constant in range"},
	"constant":        {`%r = "arith.constant"() {value = "no"} : () -> f32`, `value "no" is not supported`},
	"constant shape":  {`%r = "arith.constant"() {value = 1.0 : f32} : () -> tensor<2xf32>`, "is not supported"},
	"constant int":    {`%r = "arith.constant"() {value = 1 : i32} : () -> f32`, "is not supported"},
	"constant float":  {`%r = "arith.constant"() {value = 1.0 : f32} : () -> i32`, "is not supported"},
	"constant bytes":  {`%r = "arith.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<3xf32>`, "8 bytes do not make 3 elements of f32"},
	"loops are none":  {strings.Replace(generic(ij+", "+ij, allLoops, copyBody), "["+allLoops+"]", "2", 1), "one for each loop"},
	"segments":        {strings.Replace(generic(ij+", "+ij, allLoops, copyBody), "i32: 1, 1", "i32: 3, 1", 1), "operandSegmentSizes does not fit 2 operands"},
	"segments below":  {strings.Replace(generic(ij+", "+ij, allLoops, copyBody), "i32: 1, 1", "i32: -1, 1", 1), "operandSegmentSizes does not fit 2 operands"},
	"no terminator":   {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):"), "must end with linalg.yield"},
	"reduce a number": {`%r = "linalg.reduce"(%c, %c) ({` + addBody + `}) {dimensions = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1>} : (f32, f32) -> f32`, "dimensions must be different and below 0: [0]"},
	"no maps":         {generic(`1, 2`, allLoops, copyBody), "needs an affine map for each of its 2 operands"},
	"few maps":        {generic(ij, allLoops, copyBody), "needs an affine map for each of its 2 operands"},
	"width": {generic(ij+", "+ij, allLoops, `^bb0(%a: f32, %z: f32):
		%k = arith.trunci %n : i64 to i7
		%f = arith.sitofp %k : i7 to f32
		"linalg.yield"(%f) : (f32) -> ()`), "arith.trunci: programs compute with i1, i8, i16, i32, i64, bf16, f16, f32, f64, floats of 8 bits and complex numbers of f32 and f64, not with i7"},
	"kind of loop":    {generic(ij+", "+ij, `#linalg.iterator_type<parallel>, #linalg.iterator_type<window>`, copyBody), `iterator type window is not supported`},
	"loops":           {generic(ij+", "+ij, loopsOf(1), copyBody), "map 0 must have 1 dims, one for each loop"},
	"rank of a map":   {generic(`affine_map<(i, j) -> (i)>, `+ij, allLoops, copyBody), "has 2 dimensions, but its map has 1 results"},
	"symbols":         {generic(`affine_map<(i, j)[s] -> (i, j)>, `+ij, allLoops, copyBody), "map 0 must have 2 dims, one for each loop, and no symbols"},
	"extents":         {generic(`affine_map<(i, j) -> (j, i)>, `+ij, allLoops, copyBody), "has extent 4 in dimension 0, but loop d0 has 6"},
	"no extent":       {generic(`affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j)>`, loopsOf(3), copyBody), "nothing gives the extent of loop 2"},
	"output map":      {generic(`affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>`, allLoops, copyBody), "the map of output 0 is not a permutation of the parallel loops"},
	"output twice":    {generic(`affine_map<(i, j, k, l) -> (i, j)>, affine_map<(i, j, k, l) -> (k, l)>`, loopsOf(4), copyBody), "output 0 does not depend on parallel loop 0"},
	"reduced output":  {generic(ij+", "+ij, `#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>`, addBody), "the map of output 0 is not a permutation of the parallel loops"},
	"body":            {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32, %d: f32):\n\"linalg.yield\"(%a) : (f32) -> ()"), "the region takes 3 arguments, not 2"},
	"tensor in body":  {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%s = \"arith.addf\"(%a, %e) : (f32, tensor<4x6xf32>) -> f32\n\"linalg.yield\"(%s) : (f32) -> ()"), "a tensor is used as a scalar"},
	"body operation":  {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%s = \"foo.bar\"(%a) : (f32) -> f32\n\"linalg.yield\"(%s) : (f32) -> ()"), "no scalar form of foo.bar"},
	"index":           {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%s = \"linalg.index\"() {dim = 2} : () -> index\n\"linalg.yield\"(%a) : (f32) -> ()"), "linalg.index cannot stand here"},
	"index of no dim": {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%s = \"linalg.index\"() : () -> index\n\"linalg.yield\"(%a) : (f32) -> ()"), "linalg.index cannot stand here"},
	"affine map":      {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%i = \"linalg.index\"() {dim = 0} : () -> index\n%s = \"affine.apply\"(%i) {map = affine_map<(a, b) -> (a)>} : (index) -> index\n\"linalg.yield\"(%a) : (f32) -> ()"), "affine.apply cannot stand here"},
	"affine results":  {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%i = \"linalg.index\"() {dim = 0} : () -> index\n%s = \"affine.apply\"(%i) {map = affine_map<(a) -> (a, a)>} : (index) -> index\n\"linalg.yield\"(%a) : (f32) -> ()"), "affine.apply cannot stand here"},
	"extract rank":    {generic(ij+", "+ij, allLoops, "^bb0(%a: f32, %z: f32):\n%i = \"linalg.index\"() {dim = 0} : () -> index\n%s = \"tensor.extract\"(%x, %i) : (tensor<4x6xf32>, index) -> f32\n\"linalg.yield\"(%s) : (f32) -> ()"), "1 indices for a tensor of rank 2"},
	"cmpf":            {`%r = "arith.cmpf"(%x, %x) {predicate = 16} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>`, "arith.cmpf without a predicate that is known"},
	"cmpf without":    {`%r = "arith.cmpf"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>`, "arith.cmpf without a predicate that is known"},
	"cmpi":            {`%r = "arith.cmpi"(%b, %b) {predicate = 10} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>`, "arith.cmpi without a predicate that is known"},
	"cmpi negative":   {`%r = "arith.cmpi"(%b, %b) {predicate = -1} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>`, "arith.cmpi without a predicate that is known"},
	"named of ints":   {named("exp", "tensor<4xi8>", "%b", "%be", "tensor<4xi8>"), "needs a region"},
	"reciprocal":      {named("reciprocal", "tensor<4xi8>", "%b", "%be", "tensor<4xi8>"), "needs a region"},
	"named of floats": {`%r = "linalg.div_unsigned"(%x, %x, %e) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "needs a region"},
	"named shapes":    {named("exp", "tensor<4x6xf32>", "%x", "%e5", "tensor<5x6xf32>"), "operand 1 has extent 5 in dimension 0, but loop d0 has 4"},
	"no tensor":       {`%r = "linalg.exp"(%c, %c) {operandSegmentSizes = array<i32: 1, 1>} : (f32, f32) -> f32`, "needs a region"},
	"transpose":       {transpose(`array<i64: 1, 1>`, "6x4"), "permutation must be different and below 2: [1 1]"},
	"transpose short": {transpose(`array<i64: 0>`, "6x4"), "the permutation has 1 entries for 2 dimensions"},
	"transpose long":  {transpose(`array<i64: 0, 1, 2>`, "6x4"), "permutation must be different and below 2: [0 1 2]"},
	"transpose shape": {transpose(`array<i64: 0, 1>`, "6x4"), "operand 1 has extent 6 in dimension 0, but loop d0 has 4"},
	"broadcast":       {`%r = "linalg.broadcast"(%x, %e) {dimensions = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "operand 0 of type tensor<4x6xf32> has 2 dimensions, but its map has 0 results"},
	"broadcast shape": {`%r = "linalg.broadcast"(%x, %e) {dimensions = array<i64: 0>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<2x6x4xf32>`, "operand 0 of type tensor<4x6xf32> has 2 dimensions, but its map has 1 results"},
	"fill":            {`%r = "linalg.fill"(%n, %e) {operandSegmentSizes = array<i32: 1, 1>} : (i64, tensor<4x6xf32>) -> tensor<4x6xf32>`, "needs a region"},
	"fill of tensor":  {`%r = "linalg.fill"(%x, %e) {operandSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "operand 0 of type tensor<4x6xf32> has 2 dimensions, but its map has 0 results"},
	"reduce":          {`%r = "linalg.reduce"(%x, %e) ({` + addBody + `}) {operandSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "needs dimensions"},
	"window":          {window(`dense<[1]> : tensor<1xi64>`, "4x2"), "needs strides of 2 positive numbers"},
	"window of zero":  {window(`dense<[1, 0]> : tensor<2xi64>`, "4x2"), "needs strides of 2 positive numbers"},
	"pooling":         {`%r = "linalg.pooling_nchw_mean"(%x, %x, %e) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "operation is not supported"},
	"pooling layout":  {`%r = "linalg.pooling_wh_max"(%x, %x, %e) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "operation is not supported"},
	"operands of sum": {`%r = "linalg.matmul"(%x, %e) {operandSegmentSizes = array<i32: 1, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, "takes 2 inputs and one output"},
	"operands":        {`%r = "tensor.insert_slice"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>`, "1 operands"},
	"no operand":      {`%r = "tensor.collapse_shape"() : () -> tensor<4x6xf32>`, "0 operands"},
	"no linalg":       {`%r = "linalg.add"() : () -> tensor<4x6xf32>`, "operandSegmentSizes does not fit 0 operands"},
	"no result":       {`"arith.addf"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()` + "\n" + `%r = "tensor.empty"() : () -> tensor<2xf32>`, "operation is not supported"},
	"result of none":  {`%r = "arith.addf"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> none`, "value of type none"},
	"too many":        {`%r = "tensor.empty"() : () -> tensor<1048577x1048576xi1>`, "a value of shape"},
	"ordered":         {`%r = "acap.scan"(%x) {axis = 2, kind = "add"} : (tensor<4x6xf32>) -> tensor<4x6xf32>`, "axis"},
}

const addBody = `^bb0(%a: f32, %z: f32):
		%s = "arith.addf"(%a, %z) : (f32, f32) -> f32
		"linalg.yield"(%s) : (f32) -> ()`

// loops are n parallel loops.
func loopsOf(n int) string {
	return strings.Join(slices.Repeat([]string{"#linalg.iterator_type<parallel>"}, n), ", ")
}

func slice(offsets, sizes, strides, result string) string {
	return fmt.Sprintf(`%%r = "tensor.extract_slice"(%%x) {static_offsets = %s, static_sizes = %s, static_strides = %s,
		operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4x6xf32>) -> tensor<%sxf32>`, offsets, sizes, strides, result)
}

func insert(part, sizes string) string {
	return fmt.Sprintf(`%%p = "tensor.empty"() : () -> tensor<%sxf32>
		%%r = "tensor.insert_slice"(%%p, %%x) {static_offsets = array<i64: 0, 0>, static_sizes = %s,
		static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} :
		(tensor<%sxf32>, tensor<4x6xf32>) -> tensor<4x6xf32>`, part, sizes, part)
}

func pad(low, high, value, result string) string {
	types := map[string]string{"%c": "f32", "%i": "index", "%c, %c": "f32, f32"}[value]
	return fmt.Sprintf(`%%r = "tensor.pad"(%%x) ({
		^bb0(%%i: index, %%j: index):
			"tensor.yield"(%s) : (%s) -> ()
		}) {static_low = %s, static_high = %s, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x6xf32>) -> tensor<%sxf32>`,
		value, types, low, high, result)
}

func named(name, in, x, out, result string) string {
	return fmt.Sprintf(`%%r = "linalg.%s"(%s, %s) {operandSegmentSizes = array<i32: 1, 1>} : (%s, %s) -> %s`, name, x, out, in, result, result)
}

func transpose(perm, result string) string {
	return fmt.Sprintf(`%%o = "tensor.empty"() : () -> tensor<%sxf32>
		%%r = "linalg.transpose"(%%x, %%o) {permutation = %s} : (tensor<4x6xf32>, tensor<%sxf32>) -> tensor<%sxf32>`,
		result, perm, result, result)
}

func window(strides, result string) string {
	return fmt.Sprintf(`%%i = "tensor.empty"() : () -> tensor<1x1x4x6xf32>
		%%w = "tensor.empty"() : () -> tensor<1x1x2x2xf32>
		%%o = "tensor.empty"() : () -> tensor<1x1x3x5xf32>
		%%r = "linalg.conv_2d_nchw_fchw"(%%i, %%w, %%o) {strides = %s, operandSegmentSizes = array<i32: 2, 1>} :
		(tensor<1x1x4x6xf32>, tensor<1x1x2x2xf32>, tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>`, strides)
}

// TestRefused: what an operation gets wrong is an error with the place of the operation, whatever it is.
func TestRefused(t *testing.T) {
	for name, c := range refused {
		t.Run(name, func(t *testing.T) {
			text := `func.func @main(%x: tensor<4x6xf32>, %b: tensor<4xi8>, %n: i64) {
				%c = arith.constant 1.5 : f32
				%e = tensor.empty() : tensor<4x6xf32>
				%e5 = tensor.empty() : tensor<5x6xf32>
				%be = tensor.empty() : tensor<4xi8>
				` + c.text + `
				"func.return"() : () -> ()
			}`
			m, err := mlir.Parse("test.mlir", []byte(text))
			require.NoError(t, err, text)
			_, err = Compile(m.Funcs()[0], Options{})
			require.ErrorContains(t, err, c.want)
			var typed *graph.Error
			require.True(t, errors.As(err, &typed))
			require.Contains(t, err.Error(), "test.mlir:")
		})
	}
}

// TestRefusedFunctions: a function without a body, or of several blocks, is refused as a whole.
func TestRefusedFunctions(t *testing.T) {
	for _, text := range []string{"func.func private @main(tensor<4xf32>) -> tensor<4xf32>", `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}`} {
		m, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err)
		_, err = Compile(m.Funcs()[0], Options{})
		require.ErrorContains(t, err, "the function does not have one block")
	}
}

// TestUnknownOperands: an operand of any operation without a value is an error that says so, unless it is memory for a
// result that is not read.
func TestUnknownOperands(t *testing.T) {
	for _, set := range []map[string]string{forms, texts} {
		for name, text := range set {
			for at := 0; ; at++ {
				m, err := mlir.Parse("test.mlir", []byte(text))
				require.NoError(t, err)
				f, next, memory := m.Funcs()[0], 0, false
				f.Walk(func(op *mlir.Operation) {
					linalg := strings.HasPrefix(op.Name, "linalg.")
					if op.Block != nil && namedBody(op.Block.Region.Parent.Name) {
						return
					}
					for i, v := range op.Operands {
						if next++; next == at+1 {
							memory = linalg && i >= len(op.Operands)-len(op.Results)
							op.Operands[i] = mlir.NewOp("foo.bar", nil, []mlir.Type{v.Type}, nil).Result()
						}
					}
				})
				if at >= next {
					break
				}
				p, err := Compile(f, Options{Backend: portable.Compile})
				if err == nil { // a fold of its own kind is evaluated in a run
					_, err = p.Run(context.Background(), sample(f))
					p.Close()
				}
				if err != nil || !memory {
					require.Error(t, err, "%s, operand %d", name, at)
					require.Regexp(t, "operand has no value here|an operand has no value|a value that has no scalar here|is computed", err.Error(), "%s, operand %d", name, at)
				}
			}
		}
	}
}

// namedBody reports whether the name of an operation says what its body does.
func namedBody(name string) bool {
	return strings.HasPrefix(name, "linalg.") && name != "linalg.generic" && name != "linalg.map" && name != "linalg.reduce"
}
