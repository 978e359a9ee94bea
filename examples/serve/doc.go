// SPDX-License-Identifier: Apache-2.0

// Command serve answers requests for the digit in a picture over HTTP:
//
//	go run ./examples/serve &
//	curl --data-binary @tensor/data/digits/digit_7.png localhost:8080/digit
//
// Requests that come at the same time share a run of the model: they wait a few
// milliseconds for each other and are put into one batch, which is filled up to one of a
// few sizes, so that a few programs, compiled before the first request, serve all.
//
// An interrupt or SIGTERM ends the server when every request that has come is answered; a request whose body does not
// come within ten seconds is given up.
package main
