package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

func main() {
	log.SetFlags(0)
	steps := flag.Int("steps", 200, "number of steps")
	flag.Parse()

	tensor.Seed(1)
	dev := acap.Device()
	points, labels := spirals(100)
	x, y := points.To(dev), labels.To(dev)
	net := nn.Sequential(nn.NewLinear(2, 64), nn.ReLU, nn.NewLinear(64, 64), nn.ReLU,
		nn.NewLinear(64, 2)).To(dev)
	params := net.Parameters()
	opt := optim.NewAdam(0.01)
	var hits *tensor.Tensor
	for step := range *steps {
		if step == *steps*3/4 {
			opt.LR /= 4 // an input of the program: nothing is compiled again
		}
		scores := net.Forward(x)
		loss := scores.CrossEntropyLoss(y)
		hits = scores.Argmax(tensor.Dim(1)).Eq(y).Sum()
		if err := optim.Minimize(context.Background(), opt, params, loss, hits); err != nil {
			log.Fatal(err)
		}
		if step%50 == 0 || step == *steps-1 {
			fmt.Printf("step %3d  loss %.4f\n", step, loss.Item())
		}
	}
	if hits != nil {
		fmt.Printf("accuracy %.1f%%\n", 100*hits.Item()/float64(y.Size(0)))
	}
	fmt.Printf("programs compiled: %d\n", lazy.For(dev).Metrics().CompiledPrograms)
}

// spirals returns n points on each of two spirals of two turns around the origin,
// float32 [2n 2], and which spiral each is on, int64 [2n].
func spirals(n int) (points, labels *tensor.Tensor) {
	var xy []float32
	var spiral []int64
	for i := range 2 * n {
		along := float64(i/2) / float64(n)
		radius := 0.1 + 0.9*along
		angle := 4*math.Pi*along + math.Pi*float64(i%2)
		xy = append(xy, float32(radius*math.Cos(angle)), float32(radius*math.Sin(angle)))
		spiral = append(spiral, int64(i%2))
	}
	return tensor.FromSlice(xy, 2*n, 2), tensor.FromSlice(spiral)
}
