package opinfo

import (
	"encoding/json"

	"gonum.org/v1/gonum/mat"

	"github.com/go-acap/acap/base/buf"
)

// isQR judges the factors of linalg_qr by their product.
func (a *answer) isQR() bool {
	q, r := a.other(0), a.other(1)
	return a.eachMatrix(func(m []*mat.Dense) bool {
		_, n := m[2].Dims()
		for i := range m[2].RawMatrix().Rows {
			for j := range min(i, n) {
				if m[2].At(i, j) != 0 {
					return false
				}
			}
		}
		return a.orthogonal(m[1]) && a.same(product(m[1], m[2]), m[0])
	}, a.self(), q, r)
}

// isEigen judges eigenvectors of symmetric matrices: self·V is V·L.
func (a *answer) isEigen() bool {
	return a.eachMatrix(func(m []*mat.Dense) bool {
		v := m[2]
		if a.self().DType.IsComplex() { // whose diagonal counts as real
			n, _ := m[0].Dims()
			for i := 0; i < n; i += 2 {
				m[0].Set(i, i+1, 0)
				m[0].Set(i+1, i, 0)
			}
		}
		return a.orthogonal(v) && a.same(product(symmetric(m[0], a.lower()), v), scaled(v, m[1]))
	}, a.self(), column(a.other(0)), a.other(1))
}

// lower reports which triangle defines the matrix.
func (a *answer) lower() bool {
	if a.op.Op == "aten.symeig.default" {
		return len(a.op.Args) > 2 && string(a.op.Args[2]) == "false"
	}
	var triangle struct{ S string }
	return len(a.op.Args) < 2 || json.Unmarshal(a.op.Args[1], &triangle) != nil || triangle.S != "U"
}

// isSVD judges singular vectors: U·S·Vᵀ is self.
func (a *answer) isSVD() bool {
	return a.eachMatrix(func(m []*mat.Dense) bool {
		self, u, s, vt := m[0], m[1], m[2], m[3]
		if a.op.Op == "aten.svd.default" { // which gives V
			vt = mat.DenseCopyOf(vt.T())
		}
		k, _ := s.Dims()
		rows, columns := self.Dims()
		us := scaled(u.Slice(0, rows, 0, k).(*mat.Dense), s)
		part := mat.DenseCopyOf(vt.Slice(0, k, 0, columns))
		return a.orthogonal(u) && a.orthogonal(mat.DenseCopyOf(vt.T())) &&
			a.same(product(us, part), self)
	}, a.self(), a.other(0), column(a.other(1)), a.other(2))
}

// column gives the last dimension a second one of extent 1.
func column(b *buf.Buffer) *buf.Buffer {
	if b == nil {
		return nil
	}
	return b.Reshape(append(b.Shape[:len(b.Shape):len(b.Shape)], 1))
}

// eachMatrix calls judge with the matrices of every position of a batch. Where the first is complex, every a + ib is
// the block a, -b, b, a, and every real number stands twice in its column: products and adjoints are as for complex
// matrices.
func (a *answer) eachMatrix(judge func(m []*mat.Dense) bool, list ...*buf.Buffer) bool {
	for _, b := range list {
		if b == nil || len(b.Shape) < 2 || b.Len() == 0 {
			return false
		}
	}
	dims := list[0].Shape
	batch := list[0].Len() / (dims[len(dims)-1] * dims[len(dims)-2])
	for i := range batch {
		m := make([]*mat.Dense, len(list))
		for j, b := range list {
			rows, columns := b.Shape[len(b.Shape)-2], b.Shape[len(b.Shape)-1]
			if list[0].DType.IsComplex() {
				m[j] = blocks(b, i*rows*columns, rows, columns)
				continue
			}
			all := floats(b)
			m[j] = mat.NewDense(rows, columns, all[i*rows*columns:(i+1)*rows*columns])
		}
		if !judge(m) {
			return false
		}
	}
	return true
}

// blocks writes the matrix at position from of b in real numbers.
func blocks(b *buf.Buffer, from, rows, columns int) *mat.Dense {
	if !b.DType.IsComplex() {
		m := mat.NewDense(2*rows, columns, nil)
		m.Apply(func(i, j int, _ float64) float64 { return real(b.Complex(from + i/2*columns + j)) }, m)
		return m
	}
	m := mat.NewDense(2*rows, 2*columns, nil)
	m.Apply(func(i, j int, _ float64) float64 {
		v := b.Complex(from + i/2*columns + j/2)
		switch {
		case i%2 == j%2:
			return real(v)
		case i%2 == 0:
			return -imag(v)
		}
		return imag(v)
	}, m)
	return m
}

// orthogonal reports whether the columns are orthonormal.
func (a *answer) orthogonal(q *mat.Dense) bool {
	_, n := q.Dims()
	identity := mat.NewDense(n, n, nil)
	for i := range n {
		identity.Set(i, i, 1)
	}
	return a.same(product(mat.DenseCopyOf(q.T()), q), identity)
}

func (a *answer) same(x, y *mat.Dense) bool {
	rows, columns := y.Dims()
	for i := range rows {
		for j := range columns {
			if !close64(x.At(i, j), y.At(i, j), a.rtol, a.atol) {
				return false
			}
		}
	}
	return true
}

func product(x, y *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Mul(x, y)
	return &z
}

// scaled multiplies column j of x by s[j].
func scaled(x, s *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(x)
	y.Apply(func(_, j int, v float64) float64 { return v * s.At(j, 0) }, y)
	return y
}

// symmetric mirrors one triangle into the other.
func symmetric(x *mat.Dense, lower bool) *mat.Dense {
	y := mat.DenseCopyOf(x)
	y.Apply(func(i, j int, v float64) float64 {
		if (i < j) == lower {
			return x.At(j, i)
		}
		return v
	}, y)
	return y
}
