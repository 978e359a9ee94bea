package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

func main() {
	log.SetFlags(0)
	modern := flag.Bool("modern", false, "print today's spelling instead of the spelling of 2019")
	flag.Parse()
	stage := lazy.StageACAP2019
	if *modern {
		stage = lazy.StageATen
	}

	x := tensor.Randn(1, 2, 3)
	fmt.Println("x + x on the host:")
	fmt.Println(x.Add(x))

	dev := acap.Device()
	t0 := x.To(dev)
	t1 := tensor.Randn(1, 2, 3).To(dev)
	t2 := tensor.Randn(1, 2, 3).To(dev)

	sum := t0.Add(t0)
	fmt.Println("\nx + x on the array, recorded and not run:")
	show(stage, sum)

	result := sum.Add(t1).Mul(t2)
	fmt.Println("\n(x + x + y) * z:")
	show(stage, result)

	fmt.Println("\nIts value, now computed:")
	fmt.Println(result)
}

func show(stage lazy.Stage, t *tensor.Tensor) {
	text, err := lazy.MLIRAt(stage, t)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
}
