package onnx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFeatures: scaling, choosing, filling in and joining of features.
func TestFeatures(t *testing.T) {
	checkEach(t, "x = f32 2x3: -1 2 0 4 -5 6\n",
		"i = i64 2: 2 0\ny = ai.onnx.ml.ArrayFeatureExtractor(x, i)\nwant y = f32 2x2: 0 -1 6 4",
		"v = i32 3: 5 6 7\ni = i64 1x2: 1 1\ny = ai.onnx.ml.ArrayFeatureExtractor(v, i)\nwant y = i32 1x2: 6 6",
		"y = ai.onnx.ml.Binarizer(x) threshold=0.5\nwant y = f32 2x3: 0 1 0 1 0 1",
		"v = i32 3: 5 6 7\ny = ai.onnx.ml.Binarizer(v) threshold=6.0\nwant y = i32 3: 0 0 1",
		"y = ai.onnx.ml.Scaler(x) offset=[1.0,2.0,3.0] scale=[2.0,0.5,-1.0]\nwant y = f32 2x3: -4 0 3 6 -3.5 -3",
		"y = ai.onnx.ml.Scaler(x) offset=[1.0] scale=[2.0]\nwant y = f32 2x3: -4 2 -2 6 -12 10",
		"v = i64 3: 5 6 7\ny = ai.onnx.ml.Scaler(v) offset=[5.0]\nwant y = f32 3: 0 1 2",
		"v = f64 3: 5 6 7\ny = ai.onnx.ml.Scaler(v) scale=[0.5]\nwant y = f32 3: 2.5 3 3.5",
		"y = ai.onnx.ml.Normalizer(x)\nwant y = f32 2x3: -0.5 1 0 0.6666666667 -0.8333333333 1",
		"y = ai.onnx.ml.Normalizer(x) norm=\"L1\"\nwant y = f32 2x3: -0.3333333333 0.6666666667 0 0.2666666667 -0.3333333333 0.4",
		"y = ai.onnx.ml.Normalizer(x) norm=\"L2\"\nwant y = f32 2x3: "+list(6, func(i int) float64 {
			return []float64{-1, 2, 0, 4, -5, 6}[i] / math.Sqrt([]float64{5, 77}[i/3])
		}),
		"z = i32 2: 0 0\ny = ai.onnx.ml.Normalizer(z) norm=\"L2\"\nwant y = f32 2: 0 0",
		"y = ai.onnx.ml.Imputer(x) imputed_value_floats=[9.5] replaced_value_float=-1.0\nwant y = f32 2x3: 9.5 2 0 4 -5 6",
		"y = ai.onnx.ml.Imputer(x) imputed_value_floats=[7.0,8.0,9.0]\nwant y = f32 2x3: -1 2 9 4 -5 6",
		"v = i64 2: 3 4\ny = ai.onnx.ml.Imputer(v) imputed_value_int64s=[10,20] replaced_value_int64=4\nwant y = i64 2: 3 20",
		"v = f32 2: 3 nan\nn = f32: 0\ny = ai.onnx.ml.Imputer(v) imputed_value_floats=[1.5] replaced_value_float=nan\nwant y = f32 2: 3 1.5",
		"v = i64 2: 7 8\nw = f64 2x2: 1 2 3 4\ny = ai.onnx.ml.FeatureVectorizer(w, x)\nwant y = f32 2x5: 1 2 -1 2 0 3 4 4 -5 6",
		"v = i64 2: 7 8\nw = f64 1x2: 1 2\ny = ai.onnx.ml.FeatureVectorizer(w, v) inputdimensions=[1,3]\nwant y = f32 1x4: 1 7 8 0",
		"v = i64 2x2: 1 4 4 9\ny = ai.onnx.ml.OneHotEncoder(v) cats_int64s=[4,1]\nwant y = f32 2x2x2: 0 1 1 0 1 0 0 0",
		"v = f32 2: 1 4\ny = ai.onnx.ml.OneHotEncoder(v) cats_int64s=[4,1] zeros=0\nwant y = f32 2x2: 0 1 1 0",
		"v = i64 5: 5 6 1 -7 6\ny = ai.onnx.ml.LabelEncoder(v) keys_int64s=[6,5,-7,6] values_floats=[0.5,1.5,2.5,3.5]\nwant y = f32 5: 1.5 3.5 0 2.5 3.5",
		"v = i64 2: 5 4\ny = ai.onnx.ml.LabelEncoder(v) keys_int64s=[6,5] values_int64s=[1,9007199254740993]\nwant y = i64 2: 9007199254740993 -1",
		"v = i64 2: 9007199254740993 9007199254740992\ny = ai.onnx.ml.LabelEncoder(v) keys_int64s=[9007199254740993] values_int64s=[1] default_int64=4\nwant y = i64 2: 1 4",
		"v = f32 3: 0.1 nan 2\ny = ai.onnx.ml.LabelEncoder(v) keys_floats=[0.1,nan] values_int64s=[7,8] default_int64=-3\nwant y = i64 3: 7 8 -3",
		"v = f32 2: 0.1 nan\ny = ai.onnx.ml.LabelEncoder(v) keys_floats=[0.1] values_floats=[7.0] default_float=0.25\nwant y = f32 2: 7 0.25",
	)
	refuseEach(t, "x = f32 2x3: -1 2 0 4 -5 6\n", map[string]string{
		"y = ai.onnx.ml.Binarizer(x) treshold=0.5":                                                          `has no attribute "treshold" in version 5 of ai.onnx.ml`,
		"i = i64 1: 3\ny = ai.onnx.ml.ArrayFeatureExtractor(x, i)":                                          "index 3 outside of an extent of 3",
		"y = ai.onnx.ml.Scaler(x) offset=[1.0,2.0]":                                                         "offset has 2 numbers for [2 3]",
		"y = ai.onnx.ml.Normalizer(x) norm=\"L3\"":                                                          `norm "L3" is not supported`,
		"y = ai.onnx.ml.Imputer(x) imputed_value_floats=[1.0,2.0]":                                          "2 imputed values for [2 3]",
		"y = ai.onnx.ml.Imputer(x)":                                                                         "0 imputed values for [2 3]",
		"y = ai.onnx.ml.FeatureVectorizer(x) inputdimensions=[1,2]":                                         "2 inputdimensions for 1 inputs",
		"y = ai.onnx.ml.OneHotEncoder(x) cats_int64s=[4,1] zeros=0":                                         "-1 is no category",
		"y = ai.onnx.ml.OneHotEncoder(x)":                                                                   "categories of numbers: false",
		"y = ai.onnx.ml.LabelEncoder(x) keys_floats=[1.0] values_floats=[1.0,2.0]":                          "1 keys for 2 values",
		"y = ai.onnx.ml.LabelEncoder(x) keys_int64s=[1] values_int64s=[1]":                                  "keys are i64, elements of \"x\" are f32",
		"y = ai.onnx.ml.LabelEncoder(x) keys_strings=[\"a\"] values_int64s=[1]":                             "keys are texts: true",
		"y = ai.onnx.ml.LabelEncoder(x) keys_floats=[1.0] keys_int64s=[1] values_int64s=[1]":                "2 attributes keys_* are given, not one",
		"y = ai.onnx.ml.LinearRegressor(x) coefficients=[1.0,2.0]":                                          "2 coefficients of 1 targets for [2 3]",
		"y = ai.onnx.ml.LinearRegressor(x) coefficients=[1.0,2.0,3.0] intercepts=[1.0,2.0]":                 "2 intercepts for 1 targets",
		"y = ai.onnx.ml.LinearRegressor(x) coefficients=[1.0,2.0,3.0] post_transform=\"ODD\"":               `post_transform "ODD" is not supported`,
		"y, z = ai.onnx.ml.LinearClassifier(x) coefficients=[1.0,2.0,3.0]":                                  "0 classes that are texts and 0 that are numbers",
		"y = ai.onnx.ml.ZipMap(x) classlabels_int64s=[1,2]":                                                 "2 classes for [2 3]",
		"y = ai.onnx.ml.DictVectorizer(x) int64_vocabulary=[1]":                                             `input "x" is no map`,
		"m = ai.onnx.ml.ZipMap(x) classlabels_int64s=[1,2,3]\nf = i64: 0\ns = SequenceAt(m, f)\ny = Neg(s)": `input "s" is no tensor`,
	})
}

// TestLinearModels: scores are products with coefficients, class after class, and what post_transform makes of them.
func TestLinearModels(t *testing.T) {
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	softmax := func(x ...float64) string {
		total := 0.0
		for _, v := range x {
			total += math.Exp(v)
		}
		return list(len(x), func(i int) float64 { return math.Exp(x[i]) / total })
	}
	const three = " coefficients=[1.0,0.0,0.0,1.0,1.0,1.0] intercepts=[0.0,0.5,-1.0] classlabels_ints=[5,6,7]"
	checkEach(t, "x = f32 2x2: 1 2 1 -1\n",
		"y = ai.onnx.ml.LinearRegressor(x) coefficients=[2.0,3.0]\nwant y = f32 2x1: 8 -1",
		"y = ai.onnx.ml.LinearRegressor(x) coefficients=[2.0,3.0,1.0,-1.0] targets=2 intercepts=[1.0,10.0]\nwant y = f32 2x2: 9 9 0 12",
		"y = ai.onnx.ml.LinearRegressor(x) coefficients=[2.0,3.0] post_transform=\"LOGISTIC\"\nwant y = f32 2x1:"+
			list(2, func(i int) float64 { return logistic([]float64{8, -1}[i]) }),
		"v = i32 2: 1 2\ny = ai.onnx.ml.LinearRegressor(v) coefficients=[2.0,3.0]\nwant y = f32 1x1: 8",
		"y, z = ai.onnx.ml.LinearClassifier(x)"+three+"\nwant y = i64 2: 6 5\nwant z = f32 2x3: 1 2.5 2 1 -0.5 -1",
		"y, z = ai.onnx.ml.LinearClassifier(x)"+three+" post_transform=\"SOFTMAX\"\nwant y = i64 2: 6 5\nwant z = f32 2x3:"+
			softmax(1, 2.5, 2)+softmax(1, -0.5, -1),
		"y, z = ai.onnx.ml.LinearClassifier(x) coefficients=[2.0,3.0] classlabels_ints=[5,6]\nwant y = i64 2: 6 5\nwant z = f32 2x2: -8 8 1 -1",
		"y, z = ai.onnx.ml.LinearClassifier(x) coefficients=[2.0,3.0] classlabels_ints=[5,6] post_transform=\"LOGISTIC\"\nwant y = i64 2: 6 5\nwant z = f32 2x2:"+
			list(4, func(i int) float64 { return logistic([]float64{-8, 8, 1, -1}[i]) }),
		"y, z = ai.onnx.ml.LinearClassifier(x) coefficients=[2.0,3.0] classlabels_ints=[5]\nwant y = i64 2: 5 0\nwant z = f32 2x1: 8 -1",
		"w = f32 1x2: 0 2\ny, z = ai.onnx.ml.LinearClassifier(w) coefficients=[1.0,0.0,0.0,1.0,1.0,1.0] classlabels_ints=[5,6,7] post_transform=\"SOFTMAX_ZERO\"\n"+
			"want y = i64 1: 6\nwant z = f32 1x3: 0 0.5 0.5",
	)
	// What PROBIT makes of a share is where the normal distribution has it on the left.
	p := []float64{0.1, 0.5, 0.975}
	check(t, "x = f32 3x1: 0.1 0.5 0.975\ny = ai.onnx.ml.LinearRegressor(x) coefficients=[1.0] post_transform=\"PROBIT\"\nz = Erf(y)\nwant y = f32 3x1: "+
		list(3, func(i int) float64 { return math.Sqrt2 * math.Erfinv(2*p[i]-1) }))
}

// TestLabels: texts as keys, values and categories, in the order of versions.
func TestLabels(t *testing.T) {
	abc := textsOf("a", "b", "x")
	words := textAttribute("keys_strings", "b", "a")
	floats := append(putText(1, "values_floats"), append(putFloat(7, 1.5), putFloat(7, 2.5)...)...)
	for _, c := range []struct {
		version    int64
		op         string
		in, want   Value
		attributes [][]byte
	}{
		{1, "LabelEncoder", abc, numbersOf[int64](1, 2, 9), [][]byte{textAttribute("classes_strings", "z", "a", "b"), intAttribute("default_int64", 9)}},
		{1, "LabelEncoder", numbersOf[int64](1, 2, 9), textsOf("a", "b", "?"), [][]byte{textAttribute("classes_strings", "z", "a", "b"), textAttribute("default_string", "?")}},
		{4, "LabelEncoder", abc, numbersOf[int64](6, 5, -1), [][]byte{words, intsAttribute("values_int64s", 5, 6)}},
		{2, "LabelEncoder", abc, numbersOf[float32](2.5, 1.5, 0), [][]byte{words, floats}},
		{4, "LabelEncoder", abc, textsOf("w", "v", "_Unused"), [][]byte{words, textAttribute("values_strings", "v", "w")}},
		{4, "LabelEncoder", numbersOf[int64](8, 7, 0), textsOf("w", "v", "u"), [][]byte{intsAttribute("keys_int64s", 7, 8),
			textAttribute("values_strings", "v", "w"), textAttribute("default_string", "u")}},
		{1, "CategoryMapper", abc, numbersOf[int64](7, 6, -1), [][]byte{textAttribute("cats_strings", "b", "a"), intsAttribute("cats_int64s", 6, 7)}},
		{1, "CategoryMapper", numbersOf[int64](7, 1), textsOf("a", "_Unused"), [][]byte{textAttribute("cats_strings", "b", "a"), intsAttribute("cats_int64s", 6, 7)}},
		{1, "OneHotEncoder", abc, Value{Tensor: numbersOf[float32](0, 1, 1, 0, 0, 0).Tensor.Reshape([]int{3, 2})}, [][]byte{textAttribute("cats_strings", "b", "a")}},
	} {
		out, err := bindIn(classical, c.version, c.op, 1, []Value{c.in}, c.attributes...)
		require.NoError(t, err, c.op)
		requireValue(t, c.want, out[0], c.op)
	}
	out, err := bindIn(classical, 1, "ArrayFeatureExtractor", 1, []Value{abc, numbersOf[int64](2, 0)})
	require.NoError(t, err)
	requireValue(t, shaped(textsOf("x", "a"), 1, 2), out[0], "ArrayFeatureExtractor")
	// Names of classes that are texts.
	coefficients := append(putText(1, "coefficients"), append(putFloat(7, 2), putFloat(7, 3)...)...)
	x := Value{Tensor: numbersOf[float32](1, 2, 1, -1).Tensor.Reshape([]int{2, 2})}
	out, err = bindIn(classical, 1, "LinearClassifier", 2, []Value{x}, coefficients, textAttribute("classlabels_strings", "no", "yes"))
	require.NoError(t, err)
	requireValue(t, textsOf("yes", "no"), out[0], "LinearClassifier")
}

// TestMaps: rows become maps, and maps rows.
func TestMaps(t *testing.T) {
	table := func(rows int, list ...float32) Value {
		return Value{Tensor: numbersOf(list...).Tensor.Reshape([]int{rows, len(list) / rows})}
	}
	dictionary := func(keys, items Value) Value { return Value{Map: &Map{Keys: keys, Items: items}} }
	ab := textAttribute("classlabels_strings", "a", "b")
	out, err := bindIn(classical, 1, "ZipMap", 1, []Value{table(2, 1, 2, 3, 4)}, ab)
	require.NoError(t, err)
	requireValue(t, Value{IsSequence: true, Sequence: []Value{dictionary(textsOf("a", "b"), numbersOf[float32](1, 2)),
		dictionary(textsOf("a", "b"), numbersOf[float32](3, 4))}}, out[0], "ZipMap")
	out, err = bindIn(classical, 1, "ZipMap", 1, []Value{numbersOf[float32](1, 2)}, intsAttribute("classlabels_int64s", 7, 3))
	require.NoError(t, err)
	requireValue(t, Value{IsSequence: true, Sequence: []Value{dictionary(numbersOf[int64](7, 3), numbersOf[float32](1, 2))}}, out[0], "ZipMap")
	for _, c := range []struct {
		op         string
		in, want   Value
		attributes [][]byte
	}{
		{"DictVectorizer", dictionary(textsOf("a", "c"), numbersOf[int64](4, 8)), Value{Tensor: numbersOf[int64](4, 8, 0, 0).Tensor.Reshape([]int{1, 4})},
			[][]byte{textAttribute("string_vocabulary", "a", "c", "b", "z")}},
		{"DictVectorizer", dictionary(numbersOf[int64](9, 3), numbersOf[float32](4, 8)), table(1, 8, 0, 4), [][]byte{intsAttribute("int64_vocabulary", 3, 5, 9)}},
		{"DictVectorizer", dictionary(numbersOf[int64](9), textsOf("n")), shaped(textsOf("", "n"), 1, 2), [][]byte{intsAttribute("int64_vocabulary", 3, 9)}},
		{"CastMap", dictionary(numbersOf[int64](9, 3), numbersOf[float32](4, 8)), table(1, 8, 4), nil},
		{"CastMap", dictionary(numbersOf[int64](2, 0), textsOf("1.5", "3")), table(1, 3, 0, 1.5, 0), [][]byte{textAttribute("map_form", "SPARSE"), intAttribute("max_map", 4)}},
		{"CastMap", dictionary(numbersOf[int64](2, 0), numbersOf[float32](4, 8)), table(1, 8, 0, 4), [][]byte{textAttribute("map_form", "SPARSE"), intAttribute("max_map", 3)}},
		{"CastMap", dictionary(numbersOf[int64](9, 3), numbersOf[float32](4, 8)), shaped(textsOf("8.0", "4.0"), 1, 2), [][]byte{textAttribute("cast_to", "TO_STRING")}},
		{"CastMap", dictionary(numbersOf[int64](9, 3), numbersOf[float32](4, 8)), Value{Tensor: numbersOf[int64](8, 4).Tensor.Reshape([]int{1, 2})}, [][]byte{textAttribute("cast_to", "TO_INT64")}},
	} {
		out, err := bindIn(classical, 1, c.op, 1, []Value{c.in}, c.attributes...)
		require.NoError(t, err, c.op)
		requireValue(t, c.want, out[0], c.op)
	}
}
