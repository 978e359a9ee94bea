//go:build !unix

package main

import "os/exec"

// runGroup runs a command; there are no process groups here.
func runGroup(c *exec.Cmd) error { return c.Run() }
