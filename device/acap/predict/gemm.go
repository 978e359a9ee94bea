package predict

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/workload"
)

// contraction returns the kernel of a matrix product row.
func (r *Row) contraction() (*subject, error) {
	t, err := r.types()
	if err != nil {
		return nil, err
	}
	if r.M == 0 && r.K == 0 && r.N == 0 {
		if v := notation.Numbers(cubeName, r.Workload); v != nil {
			r.M, r.K, r.N = v[0], v[0], v[0]
		} else if v := notation.Numbers(downName, r.Workload); v != nil {
			// The down projection of the model in the registry.
			r.M, r.K, r.N = 2048, v[0], 2048
		}
	}
	if min(r.M, r.K, r.N) < 1 {
		return nil, errNoProduct
	}
	if family(r.Workload) == "gemv" {
		t.matrixFirst()
	}
	return &subject{kernel: workload.Kernel{Name: r.Workload, Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: r.M, N: r.N, K: r.K,
			A: t.a, B: t.b, Acc: t.acc, Out: t.out}}}, nil
}

func (r *Row) gemm(m *machine.Machine) (*subject, error) {
	s, err := r.contraction()
	if err != nil {
		return nil, err
	}
	g := mapping.Mapping{Kind: workload.KindContraction, Cascade: 1, StageM: 1, StageN: 1,
		Depth: 2, OutDepth: 1}
	s.mapped = true
	if v := notation.Numbers(tileNote, r.Notes); v != nil {
		// ARIES: all rows of cores over M, the columns over N.
		g.Rows, g.Cols = m.Grid.CoreRows, m.Grid.Cols
		if r.Tiles > 0 {
			g.Cols = r.Tiles / g.Rows
		}
		g.PartsM, g.PartsN = g.Rows, g.Cols
		g.TM, g.TN, g.TK = v[0], v[1], v[2]
		g.OutDepth, g.Style = 2, "vector"
		// Those kernels sum in the type of their output.
		s.kernel.Contraction.Acc = s.kernel.Contraction.Out
	} else if v := notation.Numbers(herdNote, r.Notes); v != nil {
		g.Cols, g.Rows = v[0], v[1]
		g.TM, g.KL2, g.TK, g.TN = v[2], v[3], v[4], v[5]
		g.PartsM, g.PartsN, g.Style = g.Cols, g.Rows, registryStyle(r.Workload)
	} else if v := notation.Numbers(sweepNote, r.Notes); v != nil {
		g.Cols, g.Rows, g.PartsM, g.PartsN = 8, 4, 8, 4
		g.TM, g.TN, g.KL2, g.TK, g.Style = 64, v[0], v[1], 32, "external"
	} else if strings.Contains(r.Source, "charm") {
		charm(&g, r, s.kernel.Contraction.A.DType)
	} else {
		s.mapped = false
		return s, nil
	}
	s.mapping = g
	return s, nil
}

// registryStyle is the kernel style of a workload such as "gemm drain".
func registryStyle(workload string) string {
	for _, s := range []string{"direct", "drain", "fused-cast"} {
		if strings.Contains(workload, s) {
			return s
		}
	}
	return "external"
}

// charm is CHARM's design for VC1902: a tile of 32 × 32 × 32 floats per core, 12 × 8
// groups of a cascade of four, blocks of 4 × 4 array tiles staged in programmable logic.
func charm(g *mapping.Mapping, r *Row, t dtype.DType) {
	g.TM, g.TN, g.TK, g.Style = 32, 32, 32, "cascade"
	switch t {
	case dtype.I16:
		g.TM, g.TN, g.TK = 48, 48, 32
	case dtype.I8:
		g.TM, g.TN, g.TK = 64, 64, 64
	}
	if r.Tiles == 1 {
		g.Cols, g.Rows, g.PartsM, g.PartsN = 1, 1, 1, 1
		return
	}
	v := notation.Numbers(charmNote, r.Notes)
	if v == nil {
		v = []int{12, 4, 8}
	}
	g.PartsM, g.Cascade, g.PartsN = v[0], v[1], v[2]
	g.Rows, g.Cols = g.PartsN, g.PartsM*g.Cascade
	g.StageM, g.StageN, g.KL2 = 4, 4, g.Cascade*g.TK
}

func (r *Row) gemv() (*subject, error) {
	if r.N == 0 {
		r.N = 1
	}
	s, err := r.contraction()
	if err != nil {
		return nil, err
	}
	v := notation.Numbers(gemvNote, r.Notes)
	if v == nil {
		return s, nil
	}
	s.mapped = true
	s.mapping = published.VectorTiles(v[0], v[1], r.K)
	return s, nil
}
