// SPDX-License-Identifier: Apache-2.0

// Package emulator is for tests that an emulator of another processor runs:
//
//	export ACAP_EMULATOR='qemu-aarch64 -cpu max'
//	GOARCH=arm64 go test -exec "$ACAP_EMULATOR" ./...
//
// The system cannot execute a program of the other processor, so a test that starts its own program a second time
// starts the emulator. Bounds on the processor's time make no sense there.
package emulator
