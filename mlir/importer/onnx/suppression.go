package onnx

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-acap/acap/tensor/buf"
)

func init() {
	register("NonMaxSuppression", suppress)
}

// box is a rectangle by its edges.
type box struct{ top, left, bottom, right float64 }

func (b box) area() float64 { return float64((b.bottom - b.top) * (b.right - b.left)) }

// overlap is the intersection of two boxes over their union.
func (b box) overlap(c box) float64 {
	height := math.Min(b.bottom, c.bottom) - math.Max(b.top, c.top)
	width := math.Min(b.right, c.right) - math.Max(b.left, c.left)
	if height <= 0 || width <= 0 {
		return 0
	}
	shared := float64(height * width)
	return shared / (b.area() + c.area() - shared)
}

// suppress picks the boxes of best score that overlap no better one. How many there are depends on
// boxes and scores, which must be known.
func suppress(n *node) {
	boxes, scores := n.known(0), n.known(1)
	if len(boxes.Shape) != 3 || boxes.Shape[2] != 4 || len(scores.Shape) != 3 ||
		scores.Shape[0] != boxes.Shape[0] || scores.Shape[2] != boxes.Shape[1] {
		failf("boxes %v with scores %v", boxes.Shape, scores.Shape)
	}
	most, threshold, least := 0, 0.0, math.Inf(-1)
	if n.has(2) {
		most = n.integer(2)
	}
	if n.has(3) {
		threshold = n.number(3)
	}
	if n.has(4) {
		least = n.number(4)
	}
	count, classes := boxes.Shape[1], scores.Shape[1]
	n.ev.work(boxes.Shape[0])
	var picked []int
	for batch := range boxes.Shape[0] {
		at := func(i int) box { return n.box(boxes, (batch*count+i)*4) }
		n.ev.work(classes)
		for class := range classes {
			score := func(i int) float64 { return scores.Float64((batch*classes+class)*count + i) }
			order := make([]int, 0, count)
			for i := range count {
				if score(i) > least {
					order = append(order, i)
				}
			}
			slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(score(j), score(i)) })
			var kept []box
			for _, i := range order {
				b := at(i)
				if len(kept) >= most {
					break
				}
				n.ev.work(len(kept))
				if slices.ContainsFunc(kept, func(k box) bool { return k.overlap(b) > threshold }) {
					continue
				}
				kept = append(kept, b)
				picked = append(picked, batch, class, i)
			}
		}
	}
	n.setKnown(0, vector(picked).Reshape([]int{len(picked) / 3, 3}))
}

// box reads four numbers: two corners in any order, or the middle and the size.
func (n *node) box(b *buf.Buffer, at int) box {
	v := [4]float64{b.Float64(at), b.Float64(at + 1), b.Float64(at + 2), b.Float64(at + 3)}
	if n.int("center_point_box", 0) == 1 {
		return box{v[1] - v[3]/2, v[0] - v[2]/2, v[1] + v[3]/2, v[0] + v[2]/2}
	}
	return box{math.Min(v[0], v[2]), math.Min(v[1], v[3]), math.Max(v[0], v[2]), math.Max(v[1], v[3])}
}
