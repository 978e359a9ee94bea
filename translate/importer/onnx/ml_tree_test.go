package onnx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two trees; the second is one leaf:
//
//	x0 ≤ 1, or missing: 10 for target 0, else x1 > 2: 20 for target 0, else 30 for target 1
//	always 1 for target 0 and 2 for target 1
const (
	twoTrees = "nodes_treeids=[0,0,0,0,0,1] nodes_nodeids=[0,1,2,3,4,0] nodes_featureids=[0,0,1,0,0,0] " +
		`nodes_modes=["BRANCH_LEQ","LEAF","BRANCH_GT","LEAF","LEAF","LEAF"] nodes_values=[1.0,0.0,2.0,0.0,0.0,0.0] ` +
		"nodes_truenodeids=[1,0,3,0,0,0] nodes_falsenodeids=[2,0,4,0,0,0] nodes_missing_value_tracks_true=[1,0,0,0,0,0] "
	targetVotes = "target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,0,0] target_ids=[0,0,1,0,1] target_weights=[10.0,20.0,30.0,1.0,2.0] n_targets=2 "
	fourRows    = "x = f32 4x2: 1 0 1.5 3 1.5 2 nan 0\n"
	// One node with two leaves, whose votes differ from test to test.
	stump = "nodes_treeids=[4,4,4] nodes_nodeids=[7,8,9] nodes_featureids=[0,0,0] " +
		`nodes_modes=["BRANCH_LT","LEAF","LEAF"] nodes_values=[1.0,0.0,0.0] nodes_truenodeids=[8,0,0] nodes_falsenodeids=[9,0,0] ` +
		"class_treeids=[4,4] class_nodeids=[8,9] "
)

func TestTrees(t *testing.T) {
	logistic := func(x ...float64) string {
		return list(len(x), func(i int) float64 { return 1 / (1 + math.Exp(-x[i])) })
	}
	const regressor, classifier = "y = ai.onnx.ml.TreeEnsembleRegressor(x) ", "y, z = ai.onnx.ml.TreeEnsembleClassifier(x) "
	checkEach(t, "",
		fourRows+regressor+twoTrees+targetVotes+"\nwant y = f32 4x2: 11 2 21 2 1 32 11 2",
		fourRows+regressor+twoTrees+targetVotes+"base_values=[100.0,200.0]\nwant y = f32 4x2: 111 202 121 202 101 232 111 202",
		fourRows+regressor+twoTrees+targetVotes+"aggregate_function=\"AVERAGE\" base_values=[100.0,200.0]\nwant y = f32 4x2: 105.5 201 110.5 201 100.5 216 105.5 201",
		fourRows+regressor+twoTrees+targetVotes+"aggregate_function=\"MIN\"\nwant y = f32 4x2: 1 2 1 2 1 2 1 2",
		fourRows+regressor+twoTrees+targetVotes+"aggregate_function=\"MAX\"\nwant y = f32 4x2: 10 2 20 2 1 30 10 2",
		"x = f32 2x1: 0 1\n"+classifier+stump+"class_ids=[1,1] class_weights=[0.25,0.75] classlabels_int64s=[7,9]\nwant y = i64 2: 7 9\nwant z = f32 2x2: 0.75 0.25 0.25 0.75",
		"x = f32 2x1: 0 1\n"+classifier+stump+"class_ids=[1,1] class_weights=[-1.0,2.0] classlabels_int64s=[7,9] post_transform=\"LOGISTIC\"\nwant y = i64 2: 7 9\nwant z = f32 2x2:"+
			logistic(1, -1, -2, 2),
		"x = f32 2x1: 0 1\n"+classifier+stump+"class_ids=[0,0] class_weights=[-1.0,2.0] classlabels_int64s=[7,9] base_values=[-3.0]\nwant y = i64 2: 7 7\nwant z = f32 2x2: 4 -4 1 -1",
		"x = f32 2x1: 0 1\n"+classifier+stump+"class_ids=[0,2] class_weights=[3.0,2.0] classlabels_int64s=[7,9,5] base_values=[0.5,1.0,0.0]\nwant y = i64 2: 7 5\nwant z = f32 2x3: 3.5 1 0 0.5 1 2",
		"x = i64 2x1: 0 1\n"+classifier+stump+"class_ids=[0,1] class_weights=[3.0,2.0] classlabels_int64s=[7,9]\nwant y = i64 2: 7 9\nwant z = f32 2x2: 3 0 0 2",
	)
	// 16777217 is a neighbour of 16777216 in f64 only.
	check(t, "x = f64 2x1: 16777216 16777217\n"+regressor+`nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_modes=["BRANCH_LEQ","LEAF","LEAF"] `+
		"nodes_values=[16777216.0,0.0,0.0] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] target_weights=[1.0,2.0]\nwant y = f32 2x1: 1 2")
	// Every relation, at, below and above the threshold.
	for mode, want := range map[string]string{"BRANCH_LEQ": "1 1 2", "BRANCH_LT": "1 2 2", "BRANCH_GTE": "2 1 1", "BRANCH_GT": "2 2 1", "BRANCH_EQ": "2 1 2", "BRANCH_NEQ": "1 2 1"} {
		check(t, "x = f32 3x1: 0 1 2\n"+regressor+`nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_modes=["`+mode+`","LEAF","LEAF"] `+
			"nodes_values=[1.0,0.0,0.0] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] target_weights=[1.0,2.0]\nwant y = f32 3x1: "+want)
	}
	refuseEach(t, fourRows+regressor, map[string]string{
		`nodes_treeids=[0] nodes_nodeids=[0] nodes_featureids=[0] nodes_modes=["BRANCH_LEQ"] nodes_values=[1.0] nodes_truenodeids=[0] nodes_falsenodeids=[0]`:                "node 0 of a tree is its own descendant",
		`nodes_treeids=[0] nodes_nodeids=[0] nodes_featureids=[5] nodes_modes=["BRANCH_LEQ"] nodes_values=[1.0] nodes_truenodeids=[0] nodes_falsenodeids=[0]`:                "asks for feature 5 of 2",
		`nodes_treeids=[0] nodes_nodeids=[0] nodes_featureids=[0] nodes_modes=["BRANCH_LEQ"] nodes_values=[1.0] nodes_truenodeids=[1] nodes_falsenodeids=[0]`:                "there is no node 1 of tree 0",
		`nodes_treeids=[0] nodes_nodeids=[0] nodes_featureids=[0] nodes_modes=["BRANCH_ODD"] nodes_values=[1.0] nodes_truenodeids=[0] nodes_falsenodeids=[0]`:                `mode "BRANCH_ODD" of a node is not supported`,
		`nodes_treeids=[0,0] nodes_nodeids=[0,0] nodes_featureids=[0,0] nodes_modes=["LEAF","LEAF"] nodes_values=[1.0,1.0] nodes_truenodeids=[0,0] nodes_falsenodeids=[0,0]`: "node 0 of tree 0 is there twice",
		`nodes_treeids=[0] nodes_nodeids=[0]`: "nodes_featureids has 0 numbers, not 1",
		"":                                    "0 trees and 1 targets",
		twoTrees + targetVotes + "target_ids=[0,0,2,0,1]":     "a leaf votes for target 2 of 2",
		twoTrees + targetVotes + "target_nodeids=[0,3,4,0,0]": "node 0 of a tree votes and is no leaf",
		twoTrees + targetVotes + "base_values=[1.0,2.0,3.0]":  "3 base values for 2 targets",
		twoTrees + targetVotes + `aggregate_function="ODD"`:   `aggregate_function "ODD" is not supported`,
	})
}

// TestTreeEnsemble: version 5 has leaves apart, and nodes that ask whether a feature is in a set.
func TestTreeEnsemble(t *testing.T) {
	tensor := func(name string, code int64, list ...float64) []byte {
		body := append(putInt(1, int64(len(list))), putInt(2, code)...)
		for _, v := range list {
			if code == 2 {
				body = append(body, putInt(5, int64(v))...)
			} else {
				body = append(body, putFloat(4, float32(v))...)
			}
		}
		return append(putText(1, name), putBytes(5, body)...)
	}
	nan := math.NaN()
	// x0 in {1.5, 4, 9}: leaf 0, else x0 in {2, 0}: leaf 1, else x1 < 3: leaf 2, else leaf 3
	attributes := [][]byte{
		tensor("nodes_modes", 2, 6, 6, 1), tensor("nodes_splits", 1, 0, 0, 3),
		tensor("membership_values", 1, 1.5, 4, 9, nan, 2, 0, nan), tensor("leaf_weights", 1, 10, 20, 30, 40),
		intsAttribute("nodes_featureids", 0, 0, 1), intsAttribute("nodes_truenodeids", 0, 1, 2), intsAttribute("nodes_falsenodeids", 1, 2, 3),
		intsAttribute("nodes_trueleafs", 1, 1, 1), intsAttribute("nodes_falseleafs", 0, 0, 1), intsAttribute("leaf_targetids", 0, 1, 1, 0),
		intsAttribute("tree_roots", 0), intAttribute("n_targets", 2),
	}
	x := numbersOf[float32](1.5, 0, 4, 0, 9, 5, 2, 0, 0, 9, 7, 2, 7, 3, float32(nan), 5)
	x.Tensor = x.Tensor.Reshape([]int{8, 2})
	run := func(more ...[]byte) (Value, error) {
		out, err := bindIn(classical, 5, "TreeEnsemble", 1, []Value{x}, instead(attributes, more...)...)
		if err != nil {
			return Value{}, err
		}
		return out[0], nil
	}
	want := func(rows int, list ...float32) Value {
		v := numbersOf(list...)
		return Value{Tensor: v.Tensor.Reshape([]int{rows, 2})}
	}
	y, err := run()
	require.NoError(t, err)
	requireValue(t, want(8, 10, 0, 10, 0, 10, 0, 0, 20, 0, 20, 0, 30, 40, 0, 40, 0), y, "sets")
	y, err = run(intsAttribute("nodes_missing_value_tracks_true", 0, 1, 0))
	require.NoError(t, err)
	requireValue(t, want(8, 10, 0, 10, 0, 10, 0, 0, 20, 0, 20, 0, 30, 40, 0, 0, 20), y, "missing")
	y, err = run(intsAttribute("tree_roots", 0, 2), intAttribute("aggregate_function", 0))
	require.NoError(t, err)
	requireValue(t, want(8, 5, 15, 5, 15, 25, 0, 0, 25, 20, 10, 0, 30, 40, 0, 40, 0), y, "the mean of two trees")
	for want, more := range map[string][]byte{
		"node 0 of a tree has the child 4 of 4":           intsAttribute("nodes_truenodeids", 4, 1, 2),
		"node 0 of a tree has the child 3 of 3":           intsAttribute("nodes_falsenodeids", 3, 2, 3),
		"root 3 of 3 nodes":                               intsAttribute("tree_roots", 3),
		"mode 7 of a node is not supported":               tensor("nodes_modes", 2, 6, 7, 1),
		"a set that has none":                             tensor("membership_values", 1, 1.5, 4),
		"is its own descendant":                           intsAttribute("nodes_falsenodeids", 1, 0, 3),
		"aggregate_function 4":                            intAttribute("aggregate_function", 4),
		"post_transform 5":                                intAttribute("post_transform", 5),
		"3 features, 2 and 3 children":                    intsAttribute("nodes_truenodeids", 0, 1),
		"4 weights and 1 targets of leaves":               intsAttribute("leaf_targetids", 0),
		"attribute nodes_splits: unknown element type 99": append(putText(1, "nodes_splits"), putBytes(5, putInt(1, 1), putInt(2, 99))...),
		"attribute nodes_splits is missing":               append(putText(1, "nodes_splits"), putBytes(5, putInt(1, 1), putInt(2, 8), putText(6, "a"))...),
	} {
		_, err := run(more)
		require.ErrorContains(t, err, want, want)
	}
}
