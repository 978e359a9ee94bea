//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// runGroup runs a command as the first of a process group of its own, and ends with it all that is left of
// the group: what the command has started, too.
func runGroup(c *exec.Cmd) error {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.Cancel = end
	if err := c.Start(); err != nil {
		return err
	}
	err := c.Wait()
	_ = end() // it fails where nothing is left
	return err
}
