// Package embed is Jacobian as a library, and the place where its parts are put together.
//
// [Open] opens the ledger in a directory, or makes it, and returns a [Node]: run operations, find
// them, search what was done before, read the log, replay it. A program that opens a node calls
// [ChildMain] first in main, since heavy operations and checkers run in processes of their own: the
// same program, executed again.
package embed
