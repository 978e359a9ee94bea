package devicetest_test

import (
	"testing"

	_ "github.com/go-acap/acap/base/longtest/heap"
	_ "github.com/go-acap/acap/device/acap"
	_ "github.com/go-acap/acap/device/host"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/devicetest"
)

func TestHost(t *testing.T) { devicetest.Run(t, device.Named("host")) }

func TestACAP(t *testing.T) { devicetest.Run(t, device.Named("acap")) }
