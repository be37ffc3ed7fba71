"""What things cost: desktop.py and boards.py measure playouts a second, harness.py the lab."""
