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

// checkAxes refuses a mesh that has not all axes by which the shardings around it divide tensors.
func checkAxes(mesh *mlir.Operation) error {
	text, _ := mesh.Attrs.Get("mesh").(mlir.OpaqueAttr)
	var axes []string
	for _, w := range words.FindAllStringSubmatch(text.Text, -1) {
		if w[0] != "mesh<" {
			axes = append(axes, w[2])
		}
	}
	var err error
	check := func(op *mlir.Operation, text string) {
		named := false
		for _, w := range words.FindAllStringSubmatch(text, -1) {
			switch {
			case w[0] == "mesh<" || w[1] != "":
				named = strings.Trim(w[1], `"`) == mesh.Symbol()
			case named && err == nil && !slices.Contains(axes, w[2]):
				err = fmt.Errorf("has no axis %q, which a sharding of %s names; it has %q", w[2], op.Name, axes)
			}
		}
	}
	if table := mesh.Parent(); table != nil {
		eachSharding(table, check)
	}
	return err
}

// eachSharding visits the texts of the dialect's attributes in a symbol table, but not those in tables inside of it.
func eachSharding(op *mlir.Operation, visit func(op *mlir.Operation, text string)) {
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				for _, n := range inner.Attrs {
					texts(n.Value, func(text string) { visit(inner, text) })
				}
				if !inner.Def().Has(mlir.SymbolTable) {
					eachSharding(inner, visit)
				}
			}
		}
	}
}

// texts visits the texts of the dialect's attributes in an attribute.
func texts(a mlir.Attribute, visit func(string)) {
	switch a := a.(type) {
	case mlir.OpaqueAttr:
		if strings.HasPrefix(a.Text, "#sdy.sharding") {
			visit(a.Text)
		}
	case mlir.ArrayAttr:
		for _, e := range a {
			texts(e, visit)
		}
	case mlir.DictAttr:
		for _, n := range a {
			texts(n.Value, visit)
		}
	}
}
