// SPDX-License-Identifier: Apache-2.0

// Command notebook runs Jupyter notebooks whose cells are Go, with the library's packages bound in:
//
//	go run . first.ipynb                # prints what the cells show, and fails with the first error
//	go run . -write out.ipynb first.ipynb   # writes the notebook with its results
//
// It uses gomacro, the interpreter of the Jupyter kernel gophernotes, and shows values by the same
// methods: SimpleRender, HTML, SVG, Markdown, PNG and image.Image. Neither Jupyter nor Python is needed.
//
// It is a module of its own, for gomacro is large and ends with Go 1.26: it needs the setting
// gotypesalias=0.
package main

//go:generate go run ./generate
