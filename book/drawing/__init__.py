"""Positions, trees and tables as pictures, and trees as SGF."""
