package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
)

// pain is a trouble with lazy tensors and a program that has it.
type pain struct {
	name, title string
	run         func(w io.Writer, dev *acap.Array) error
}

var pains = []pain{
	{"storm", "Programs are compiled again and again", storm},
	{"warm", "The first step takes minutes", warm},
	{"tracing", "Recording takes longer than running", tracing},
	{"sync", "Printing a value cuts the program", hiddenSync},
	{"shapes", "Every length is another program", shapes},
	{"memory", "What was never computed fills the memory", memory},
	{"late", "Errors come late and without a line", late},
	{"deep", "Long programs overflow the stack", deep},
	{"fallback", "Calls run on the host and nobody says so", fallback},
	{"baked", "Numbers are baked into the program", baked},
	{"alias", "Views and changes in place go wrong", alias},
	{"modes", "Benchmarks time the wrong thing", modes},
}

func main() {
	log.SetFlags(0)
	for _, name := range os.Args[1:] {
		if !slices.ContainsFunc(pains, func(p pain) bool { return p.name == name }) {
			log.Printf("pains: no program %q", name)
			os.Exit(2)
		}
	}
	for _, p := range pains {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], p.name) {
			continue
		}
		fmt.Printf("== %s: %s\n", p.name, p.title)
		if err := p.run(os.Stdout, newDevice()); err != nil {
			log.Fatal(err)
		}
		fmt.Println()
	}
}

// newDevice returns an array that has compiled nothing; [acap.Device] is one for all.
func newDevice() *acap.Array {
	m, err := machine.Preset(acap.DefaultMachine)
	if err != nil {
		log.Fatal(err)
	}
	dev := acap.New(m)
	lazy.For(dev).Clear() // and that knows of no numbers that vary
	return dev
}
