package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	hloexport "github.com/go-acap/acap/translate/exporter/stablehlo"
	"github.com/go-acap/acap/translate/importer/stablehlo"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// Config is a way to run a module.
type Config struct {
	Name, Doc string
	run       func(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error)
	// Fails are the programs of this package that cannot pass, with the reason. They must fail.
	Fails map[string]string
}

// Configs are the configurations, each with what it does.
var Configs = []Config{
	{"host", "the host's kernels", onDevice(host.Device()), nil},
	{"acap", "the array", onDevice(acap.Device()), nil},
	{"tile-exact", "the array's programs tile by tile, compared with the native kernels", runTileExact, nil},
	{"portable", "kernels as portable Go", runPortable, nil},
	{"artifact", "written to an .acap file and loaded", runArtifact, nil},
	{"torch-text", "written in torch-mlir's dialect and read again", throughText(torchmlir.To, torchmlir.From), nil},
	{"stablehlo-text", "written as StableHLO and read again", throughText(hloexport.Export, stablehlo.Lower), map[string]string{
		"inverse": "StableHLO has no inverse of a matrix"}},
	{"upstream", "lowered and run by mlir-opt-19 and mlir-cpu-runner-19", runUpstream, map[string]string{
		"inverse": "upstream has no inverse of a matrix"}},
}

// Names lists the configurations by name.
func Names() []string {
	names := make([]string, len(Configs))
	for i := range Configs {
		names[i] = Configs[i].Name
	}
	return names
}

// Choose returns the configurations of names that commas separate. A name of none is an error.
func Choose(names string) ([]Config, error) {
	var chosen []Config
	for _, name := range strings.Split(names, ",") {
		at := slices.Index(Names(), strings.TrimSpace(name))
		if at < 0 {
			return nil, fmt.Errorf("no configuration %q; there are %s", name, strings.Join(Names(), ", "))
		}
		chosen = append(chosen, Configs[at])
	}
	return chosen, nil
}

func onDevice(d device.Device) func(*mlir.Operation, []*buf.Buffer) ([]*buf.Buffer, error) {
	return func(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
		return conformance.Compute(d, module, inputs)
	}
}

func runTileExact(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	c := &tileexact.Checker{Machine: acap.Device().Machine(), Native: native.Compile}
	out, err := conformance.Compute(c, module, inputs)
	if err != nil {
		return nil, err
	}
	for _, k := range c.Kernels {
		if k.Err != nil {
			return nil, fmt.Errorf("kernel %s: %w", k.Kernel, k.Err)
		}
	}
	return out, nil
}

func runPortable(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	exe, err := compiler.CompileWith(context.Background(), module, portable.Compile)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(context.Background(), inputs)
}

func runArtifact(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	dir, err := os.MkdirTemp("", "acap-e2e")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.acap")
	ctx := context.Background()
	if err := artifact.Write(ctx, path, module, artifact.Options{}); err != nil {
		return nil, err
	}
	f, err := artifact.Open(path)
	if err != nil {
		return nil, err
	}
	exe, notice, err := f.Load(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	if notice != "" && f.Problem == "" {
		return nil, fmt.Errorf("a program was compiled again: %s", notice)
	}
	return exe.Run(ctx, inputs)
}

// throughText writes a module in another dialect, reads the text and runs it on the host.
func throughText(write, read func(*mlir.Operation) error) func(*mlir.Operation, []*buf.Buffer) ([]*buf.Buffer, error) {
	return func(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
		if err := write(module); err != nil {
			return nil, err
		}
		again, err := mlir.Parse("text", []byte(module.String()))
		if err != nil {
			return nil, err
		}
		if err := read(again); err != nil {
			return nil, err
		}
		if err := mlir.Verify(again); err != nil {
			return nil, err
		}
		return conformance.Compute(host.Device(), again, inputs)
	}
}
