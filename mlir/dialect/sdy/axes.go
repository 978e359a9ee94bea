package sdy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// words are a mesh that is written out, the name of a mesh, and the name of an axis in the text of an attribute.
var words = regexp.MustCompile(`mesh<|@("[^"]*"|[^\s,<>\[\]]+)|"([^"]*)"`)

// checkAxes refuses a sharding of op whose mesh is not there, or has not all axes by which the sharding divides
// tensors.
func checkAxes(op *mlir.Operation, a mlir.OpaqueAttr) error {
	if !strings.HasPrefix(a.Text, "#sdy.sharding") {
		return nil
	}
	var name string
	var axes []string
	for _, w := range words.FindAllStringSubmatch(a.Text, -1) {
		switch {
		case w[0] == "mesh<":
			name = ""
		case w[1] != "":
			name = strings.Trim(w[1], `"`)
			mesh := meshAround(op, name)
			if mesh == nil {
				return fmt.Errorf("has a sharding of the mesh %q, which no sdy.mesh here defines", name)
			}
			axes = axesOf(mesh)
		case name != "" && !slices.Contains(axes, w[2]):
			return fmt.Errorf("has a sharding along the axis %q; the mesh %q has %q", w[2], name, axes)
		}
	}
	return nil
}

// meshAround returns the mesh of a name in the nearest symbol table around op, or nil.
func meshAround(op *mlir.Operation, name string) *mlir.Operation {
	for op = op.Parent(); op != nil && !op.Def().Has(mlir.SymbolTable); op = op.Parent() {
	}
	if op == nil {
		return nil
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				if inner.Name == "sdy.mesh" && inner.Symbol() == name {
					return inner
				}
			}
		}
	}
	return nil
}

// axesOf are the names of the axes of a mesh.
func axesOf(mesh *mlir.Operation) (axes []string) {
	text, _ := mesh.Attrs.Get("mesh").(mlir.OpaqueAttr)
	for _, w := range words.FindAllStringSubmatch(text.Text, -1) {
		if w[0] != "mesh<" {
			axes = append(axes, w[2])
		}
	}
	return axes
}
