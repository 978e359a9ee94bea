// SPDX-License-Identifier: Apache-2.0

// Package explorer shows a program in a web page: the graph of its calls with the layers folded,
// every stage of its compilation with the same call marked in all of them, groups and kernels, the
// array's floor plan, the timeline, the roofline, memory over time, what would change the time,
// and a second run beside the first.
//
//	e, err := explorer.New(explorer.Program{Name: "model", Module: module, Device: acap.Device()})
//	defer e.Close()
//	err = e.WritePage(ctx, file)               // one HTML file that needs nothing else
//	err = http.ListenAndServe(addr, e)         // the same page, whose parts are made when asked for
//
// A program of pending tensors is taken by [Pending]. The page is made of parts, which are
// JSON: see [Explorer.Part]. A saved page holds all of them; a served page has the calls and
// asks for the rest when a view is opened. Nothing in the page refers to other files or hosts.
package explorer
