package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

// started serves a handler in a goroutine and returns its address, what ends it, and its result.
func started(t *testing.T, h http.Handler, l limits) (address string, stop func(), ended chan error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	ended = make(chan error, 1)
	go func() { ended <- serve(ctx, listener, h, l) }()
	return listener.Addr().String(), stop, ended
}

// Clients that never stop asking lose nothing when the server ends: what the server has seen of a request is answered.
func TestNothingInFlightIsLost(t *testing.T) {
	const clients = 20
	var seen sync.Map
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.Header.Get("Number"), true)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(time.Duration(len(body)%7) * time.Millisecond)
		_, _ = w.Write(body)
	})
	l := usual
	l.drain = 200 * time.Millisecond
	address, stop, ended := started(t, slow, l)
	var answered, lost atomic.Int64
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: c%2 == 0}}
			for i := 0; ; i++ {
				body := bytes.Repeat([]byte{'x'}, 1+i+c)
				q, err := http.NewRequest("POST", "http://"+address, bytes.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				q.Header.Set("Number", fmt.Sprint(c, "-", i))
				r, err := client.Do(q)
				var got []byte
				if err == nil {
					got, err = io.ReadAll(r.Body)
					r.Body.Close()
				}
				_, known := seen.Load(q.Header.Get("Number"))
				switch {
				case errors.Is(err, syscall.ECONNREFUSED):
					return
				case err != nil && !known:
					t.Log("not accepted:", err) // it connected in the instant of the end
					lost.Add(1)
				case err != nil || !bytes.Equal(got, body):
					t.Errorf("%v for %q", err, got)
				default:
					answered.Add(1)
				}
			}
		})
	}
	for answered.Load() < 3*clients {
		time.Sleep(time.Millisecond)
	}
	stop()
	wg.Wait()
	require.NoError(t, <-ended)
	t.Logf("%d requests, %d not accepted", answered.Load(), lost.Load())
}

// The end waits for a request whose answer takes longer than the rest.
func TestEndWaits(t *testing.T) {
	begun, finish := make(chan bool), make(chan bool)
	address, stop, ended := started(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		<-finish
		fmt.Fprint(w, "late")
	}), limits{read: time.Minute, write: time.Minute, shutdown: time.Minute})
	reply := make(chan string, 1)
	go func() {
		r, err := http.Get("http://" + address)
		if err != nil {
			reply <- err.Error()
			return
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		reply <- string(text)
	}()
	<-begun
	stop()
	select {
	case <-ended:
		t.Fatal("it ended before its last answer")
	case <-time.After(100 * time.Millisecond):
	}
	close(finish)
	require.Equal(t, "late", <-reply)
	require.NoError(t, <-ended)
}

// A request that never ends is an error of the end.
func TestEndGivesUp(t *testing.T) {
	begun := make(chan bool)
	address, stop, ended := started(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		<-r.Context().Done()
	}), limits{read: time.Minute, write: time.Minute, shutdown: 50 * time.Millisecond})
	go func() {
		if r, err := http.Get("http://" + address); err == nil {
			r.Body.Close()
		}
	}()
	<-begun
	stop()
	require.ErrorContains(t, <-ended, "still in flight after 50ms")
}

// Half a header and half a body are waited for as long as a request may take, and then the connection is closed.
func TestHalfRequests(t *testing.T) {
	l := usual
	l.read = 100 * time.Millisecond
	address, _, _ := started(t, handler(nil), l)
	for _, half := range []string{"POST /digit HT", "POST /digit HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf", ""} {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, err = c.Write([]byte(half))
		require.NoError(t, err)
		require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
		text, err := io.ReadAll(c)
		require.NoError(t, err, "the connection is closed")
		if strings.Contains(half, "half") {
			require.Contains(t, string(text), "408 Request Timeout")
		}
		c.Close()
	}
}

// The command ends with status 0 after either signal, once it has answered.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sends signals")
	}
	const child = "ACAP_TEST_SERVE"
	if os.Getenv(child) != "" {
		if err := run("127.0.0.1:0", time.Millisecond); err != nil {
			t.Fatal(err)
		}
		return
	}
	file := pictures(t)[3]
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := emulator.Again("-test.run=^TestSignals$")
		c.Env = append(os.Environ(), child+"=1")
		out, err := c.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		address := strings.TrimSpace(line[strings.LastIndex(line, " "):])
		// Half of a request is there when the signal comes, and the rest comes after it.
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		fmt.Fprintf(conn, "POST /digit HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(file), file[:10])
		time.Sleep(50 * time.Millisecond)
		require.NoError(t, c.Process.Signal(s))
		time.Sleep(50 * time.Millisecond)
		_, err = conn.Write(file[10:])
		require.NoError(t, err)
		text, err := io.ReadAll(conn)
		require.NoError(t, err)
		require.Contains(t, string(text), `"digit":3`)
		require.NoError(t, c.Wait(), s)
	}
}
