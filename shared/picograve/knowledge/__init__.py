"""What games know by heart: constants that lie in a chip's flash, each made by a tool.

go.py   shapes of 3x3 points (picograve_tools.draw_shapes)
"""
