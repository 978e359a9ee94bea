package distributed_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/distributed"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// deep is a network of equal layers.
func deep(layers, width int) *nn.Sequence {
	var list []nn.Module
	for range layers {
		list = append(list, nn.NewLinear(width, width), nn.Tanh)
	}
	return nn.Sequential(list...).To(acap.Device())
}

// pass records the means of the gradients of a network, and a loss.
func pass(opt *distributed.Parallel, net *nn.Sequence, width int) []*tensor.Tensor {
	loss := net.Forward(tensor.Randn(512, width).To(acap.Device())).Mean()
	return append(opt.Mean(tensor.Grad([]*tensor.Tensor{loss}, net.Parameters(), nil)), loss)
}

// parallel is the optimiser of a network, with buckets of a size.
func parallel(g *distributed.Group, net *nn.Sequence, bucket int) (*distributed.Parallel, error) {
	opt, err := distributed.Data(ctx, net.Parameters(), &optim.SGD{LR: 0.1}, g)
	if err == nil {
		opt.BucketBytes = bucket
	}
	return opt, err
}

var stepPattern = regexp.MustCompile(`(?:call @(\w+)|"?(aten\.all_reduce_(?:start|wait))"?)`)

// TestBucketsStartEarly looks at the steps of the compiled program, which run in order: between the
// starts of buckets are groups, which compute the gradients that come later.
func TestBucketsStartEarly(t *testing.T) {
	const layers, width = 4, 16
	var order []string
	err := distributed.Run(2, func(g *distributed.Group) error {
		tensor.Seed(1)
		net := deep(layers, width)
		opt, err := parallel(g, net, width*width*4+width*4)
		if err != nil {
			return err
		}
		var values []lazy.Value
		for _, v := range pass(opt, net, width) {
			values = append(values, v)
		}
		text, err := lazy.MLIRAt(lazy.StageLinalg, values...)
		if err != nil {
			return err
		}
		main := string(text)
		main = main[strings.Index(main, "func.func @main("):]
		main = main[:strings.Index(main, "\n  }")]
		var steps []string
		for _, m := range stepPattern.FindAllStringSubmatch(main, -1) {
			switch {
			case m[1] != "":
				steps = append(steps, "group")
			default:
				steps = append(steps, strings.TrimPrefix(m[2], "aten.all_reduce_"))
			}
		}
		if g.Rank() == 0 {
			order = steps
		}
		return lazy.Sync(ctx, values...)
	})
	require.NoError(t, err)
	var want []string
	for range layers {
		want = append(want, "group", "start")
	}
	require.GreaterOrEqual(t, len(order), len(want), "%v", order)
	require.Equal(t, want, order[:len(want)], "%v", order)
	require.Len(t, slices.DeleteFunc(slices.Clone(order), func(s string) bool { return s != "wait" }), layers)
}

// nap is how long the operator of that name takes, and its gradient.
var nap time.Duration

func init() {
	err := ops.Register(&ops.Op{Schema: "nap_of_test(Tensor self) -> Tensor",
		Infer: func(c *ops.Call) error { return c.Result(c.DTypeOf(0), c.Shape(0)) },
		Grad:  func(g *ops.Gradient) { g.Set(0, g.Call("nap_of_test", g.Grad(0))) },
		Host: func(c *ops.HostCall) ([]*buf.Buffer, error) {
			time.Sleep(nap)
			return []*buf.Buffer{c.Buffer(0)}, nil
		}})
	if err != nil {
		panic(err)
	}
}

// TestOverlapSavesTime compares steps that send buckets while the backward pass goes on with steps that
// send all gradients at its end. Layers and links take their time asleep, so that other work on the
// machine counts for little; where it counts for much, they take longer.
func TestOverlapSavesTime(t *testing.T) {
	longtest.Only(t)
	const layers, width = 6, 32
	const bytes = layers * (width*width + width) * 4
	took := func(bucket int) time.Duration {
		link := distributed.Link{Bandwidth: bytes / (layers * nap.Seconds())}
		best := time.Hour
		err := distributed.RunOver(2, link, func(g *distributed.Group) error {
			tensor.Seed(1)
			var list []nn.Module
			for range layers {
				list = append(list, nn.NewLinear(width, width), nn.Func(func(x *tensor.Tensor) *tensor.Tensor {
					return tensor.Call("nap_of_test", x)[0]
				}))
			}
			net := nn.Sequential(list...).To(acap.Device())
			opt, err := parallel(g, net, bucket)
			if err != nil {
				return err
			}
			for range 6 {
				if err := g.Barrier(); err != nil {
					return err
				}
				start := time.Now()
				if err := tensor.Sync(ctx, pass(opt, net, width)...); err != nil {
					return err
				}
				if g.Rank() == 0 {
					best = min(best, time.Since(start))
				}
			}
			return nil
		})
		require.NoError(t, err)
		return best
	}
	saved := false
	for nap = 10 * time.Millisecond; !saved && nap < time.Second; nap *= 4 {
		after, during := took(bytes), took(bytes/layers)
		t.Logf("sums after the backward pass %v, sums during it %v", after, during)
		saved = during < after*9/10
	}
	require.True(t, saved)
}
