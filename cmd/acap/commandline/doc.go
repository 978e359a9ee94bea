// Package commandline holds the flags that commands of acap have alike.
package commandline
