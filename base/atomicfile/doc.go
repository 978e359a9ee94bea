// SPDX-License-Identifier: Apache-2.0

// Package atomicfile writes files whole or not at all: the bytes go to a temporary file in the same folder, which takes
// the name of the file at the end. A full disk, an error or an interrupt leaves the old file as it was.
//
// The file beside has a random name, is created by this process alone, and never through a link. In a folder that other
// users can write, [Write] follows no symbolic link and opens no pipe of another user, so that no one else chooses
// which file is written; [Replace] follows none anywhere. [RemoveAbandoned] removes the files that killed processes
// leave beside.
package atomicfile
