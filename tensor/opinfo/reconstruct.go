package opinfo

import (
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
		return a.orthogonal(v) && a.same(product(symmetric(m[0], a.lower()), v), scaled(v, m[1]))
	}, a.self(), column(a.other(0)), a.other(1))
}

// lower reports which triangle defines the matrix.
func (a *answer) lower() bool {
	if a.op.Op == "aten.symeig.default" {
		return len(a.op.Args) > 2 && string(a.op.Args[2]) == "false"
	}
	return len(a.op.Args) < 2 || string(a.op.Args[1]) != `{"s":"U"}`
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

// eachMatrix calls judge with the matrices of every position of a batch.
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
			all := floats(b)
			m[j] = mat.NewDense(rows, columns, all[i*rows*columns:(i+1)*rows*columns])
		}
		if !judge(m) {
			return false
		}
	}
	return true
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
