package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(classical, "SVMRegressor", supportRegressor)
	registerIn(classical, "SVMClassifier", supportClassifier)
}

// kernel returns how alike each row of x is to each row of vectors [V F].
func (n *node) kernel(x ops.Value, vectors ops.Value, name string) ops.Value {
	p := n.exactFloats("kernel_params")
	if len(p) == 0 {
		p = make([]float64, 3)
	}
	if len(p) != 3 {
		failf("%d kernel_params, not 3", len(p))
	}
	gamma, added, degree := p[0], p[1], p[2]
	if name == "RBF" {
		apart := n.Sub(n.Call("unsqueeze", x, 1), vectors)
		return n.Call("exp", n.Mul(n.sum(n.Square(apart), []int{2}, false), -gamma))
	}
	product := n.Call("matmul", x, n.Call("t", vectors))
	switch name {
	case "LINEAR", "":
		return product
	case "POLY":
		return n.Pow(n.Add(n.Mul(product, gamma), added), degree)
	case "SIGMOID":
		return n.Call("tanh", n.Add(n.Mul(product, gamma), added))
	}
	failf("kernel_type %q is not supported", name)
	return nil
}

// supportVectors are the attribute's, count rows for the features of x.
func (n *node) supportVectors(x ops.Value, count int) ops.Value {
	list, features := n.exactFloats("support_vectors"), extents(x)[1]
	if count < 1 || count > len(list) || count*features != len(list) {
		failf("%d numbers of %d support vectors for %s", len(list), count, shape.String(extents(x)))
	}
	return n.floatMatrix(list, elem(x), count, features)
}

// supportRegressor weights how alike inputs are to support vectors; of one class it says 1 where that is positive,
// and -1 elsewhere.
func supportRegressor(n *node) {
	x, weights, rho := n.rows(0), n.exactFloats("coefficients"), n.exactFloats("rho")
	if len(rho) != 1 {
		failf("%d rho, not one", len(rho))
	}
	var alike ops.Value
	if count := n.int("n_supports", 0); count > 0 {
		if len(weights) != count {
			failf("%d coefficients for %d support vectors", len(weights), count)
		}
		alike = n.kernel(x, n.supportVectors(x, count), n.text("kernel_type", "LINEAR"))
	} else if alike = x; len(weights) != extents(x)[1] {
		failf("%d coefficients for %s", len(weights), shape.String(extents(x)))
	}
	y := n.Call("matmul", alike, n.floatMatrix(weights, elem(x), len(weights), 1))
	y = n.Add(y, rho[0])
	if n.bool("one_class", false) {
		y = n.Sub(n.Mul(n.To(n.Compare("gt", y, 0), elem(x)), 2), 1)
	}
	n.set(n.To(n.transformed(y, n.text("post_transform", "NONE")), dtype.F32))
}

// supportClassifier lets each pair of classes decide, and takes the class that wins most often. The scores are the
// scores of the pairs, or with prob_a and prob_b the probabilities of the classes. Without support vectors each class
// has a linear score.
func supportClassifier(n *node) {
	x, transform := n.rows(0), n.text("post_transform", "NONE")
	c := n.classes("classlabels_ints")
	weights, rho := n.exactFloats("coefficients"), n.exactFloats("rho")
	per, _ := n.ints("vectors_per_class")
	if len(per) == 0 {
		features := extents(x)[1]
		if len(rho) != 1 || len(weights) != c.len()*features {
			failf("%d coefficients and %d rho for %d classes and %s", len(weights), len(rho), c.len(), shape.String(extents(x)))
		}
		scores := n.Add(n.Call("matmul", x, n.Call("t", n.floatMatrix(weights, elem(x), c.len(), features))), rho[0])
		n.classify(c, n.transformed(scores, transform), 0)
		return
	}
	first, vectors := make([]int, len(per)), 0
	for i, count := range per {
		if first[i] = vectors; count < 0 || count > len(weights) {
			failf("vectors_per_class has %d", count)
		}
		vectors += count
	}
	count := len(per)
	pairs := count * (count - 1) / 2
	if count < 2 || count != c.len() || len(rho) != pairs || len(weights) != (count-1)*vectors {
		failf("%d classes with %d names, %d coefficients of %d support vectors, %d rho", count, c.len(), len(weights),
			vectors, len(rho))
	}
	// Column p of sums weights the support vectors of both classes of pair p.
	sums := n.buffer(elem(x), []int{vectors, pairs})
	wins, losses := n.buffer(dtype.F32, []int{pairs, count}), n.buffer(dtype.F32, []int{pairs, count})
	pair := 0
	for i := range count {
		for j := i + 1; j < count; j++ {
			for k := range per[i] {
				sums.SetFloat64((first[i]+k)*pairs+pair, weights[(j-1)*vectors+first[i]+k])
			}
			for k := range per[j] {
				sums.SetFloat64((first[j]+k)*pairs+pair, weights[i*vectors+first[j]+k])
			}
			wins.SetFloat64(pair*count+i, 1)
			losses.SetFloat64(pair*count+j, 1)
			pair++
		}
	}
	alike := n.kernel(x, n.supportVectors(x, vectors), n.text("kernel_type", "LINEAR"))
	scores := n.Add(n.Call("matmul", alike, n.constant(sums)), n.floatVector(rho, elem(x)))
	won := n.Compare("gt", scores, 0)
	votes := n.Add(n.Call("matmul", n.To(won, dtype.F32), n.constant(wins)),
		n.Call("matmul", n.To(n.Call("logical_not", won), dtype.F32), n.constant(losses)))
	n.setClasses(c, n.Call("argmax", votes, 1, false))
	switch a, b := n.exactFloats("prob_a"), n.exactFloats("prob_b"); {
	case len(a) > 0:
		if len(a) != pairs || len(b) != pairs {
			failf("%d prob_a and %d prob_b for %d pairs", len(a), len(b), pairs)
		}
		scores = n.probabilities(scores, a, b, count)
	case pairs == 1:
		scores = n.twoScores(scores)
	}
	n.set(nil, n.To(n.transformed(scores, transform), dtype.F32))
}

// probabilities makes the probabilities of the classes from the scores of the pairs, which must be known: that the
// first class of a pair wins has the probability 1/(1 + exp(a·s + b)). The method is the second of Wu, Lin and Weng,
// "Probability estimates for multi-class classification by pairwise coupling" (2004).
func (n *node) probabilities(scores ops.Value, a, b []float64, count int) ops.Value {
	known := n.ev.elements(&value{tensor: scores}, "scores of pairs")
	rows := known.Shape[0]
	out := n.buffer(elem(scores), []int{rows, count})
	const nearest = 1e-7 // to 0 and 1
	r := make([][]float64, count)
	for i := range r {
		r[i] = make([]float64, count)
	}
	for row := range rows {
		n.ev.work(count * count)
		pair := 0
		for i := range count {
			for j := i + 1; j < count; j++ {
				p := 1 / (1 + math.Exp(float64(known.Float64(row*len(a)+pair)*a[pair])+b[pair]))
				p = min(max(p, nearest), 1-nearest)
				r[i][j], r[j][i] = p, 1-p
				pair++
			}
		}
		for i, p := range n.coupled(r) {
			out.SetFloat64(row*count+i, p)
		}
	}
	return n.constant(out)
}

// coupled minimizes the sum of (r[j][i]·p[i] - r[i][j]·p[j])² over probabilities p, one after another.
func (n *node) coupled(r [][]float64) []float64 {
	k := len(r)
	q := make([][]float64, k)
	for i := range q {
		q[i] = make([]float64, k)
		for j := range q {
			if i != j {
				q[i][i] += float64(r[j][i] * r[j][i])
				q[i][j] = -r[j][i] * r[i][j]
			}
		}
	}
	p, qp := slices.Repeat([]float64{1 / float64(k)}, k), make([]float64, k)
	for range max(100, k) {
		n.ev.work(k * k)
		total := 0.0 // pᵀQp
		for i := range q {
			qp[i] = 0
			for j := range q {
				qp[i] += float64(q[i][j] * p[j])
			}
			total += float64(p[i] * qp[i])
		}
		worst := 0.0
		for _, v := range qp {
			worst = max(worst, math.Abs(v-total))
		}
		if worst < 0.005/float64(k) {
			break
		}
		for i := range q {
			step := (total - qp[i]) / q[i][i]
			p[i] += step
			total = (total + float64(step*(float64(step*q[i][i])+2*qp[i]))) / ((1 + step) * (1 + step))
			for j := range q {
				qp[j] = (qp[j] + float64(step*q[i][j])) / (1 + step)
				p[j] /= 1 + step
			}
		}
	}
	return p
}
